package falcon

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"
)

// Every product of floating-point numbers is the operand of a conversion to
// float64, which rounds it: the compiler may fuse any other with a sum. Quotients
// and constants are rounded in any case.
func TestProductsAreRounded(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	// Types of other packages are not needed but for math's.
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: mathImporter{importer.ForCompiler(fset, "source", nil)}, Error: func(error) {}}
	config.Check("falcon", fset, files, info)
	isFloat := func(e ast.Expr) bool {
		v := info.Types[e]
		if v.Type == nil || v.Value != nil {
			return false
		}
		b, ok := v.Type.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsFloat != 0
	}
	products := 0
	for _, f := range files {
		rounded := map[ast.Expr]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.Ident); ok && fun.Name == "float64" && len(n.Args) == 1 {
					rounded[n.Args[0]] = true
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL && isFloat(n) {
					if products++; !rounded[n] {
						t.Errorf("%s: a product that is not rounded", fset.Position(n.Pos()))
					}
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && isFloat(n.Lhs[0]) {
					t.Errorf("%s: a product that is not rounded", fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if products < 10 {
		t.Errorf("%d products were found: the check sees too little", products)
	}
}

// mathImporter knows math alone.
type mathImporter struct{ types.Importer }

func (m mathImporter) Import(path string) (*types.Package, error) {
	if path == "math" {
		return m.Importer.Import(path)
	}
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}
