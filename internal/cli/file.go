package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What a file of the user may have at most. Programs for 32-bit systems with
// all their debugging information stay far below the one, descriptions of
// systems below the other.
const (
	maxELF      = 256 << 20
	maxPlatform = 1 << 20
)

// readFile reads a regular file or a pipe of at most so many bytes.
func readFile(name string, most uint32) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(name) // not after opening: that can do something to a device
	if err != nil {
		return nil, nil, err
	}
	tooLarge := fmt.Errorf("%s: more than %s; this is not such a file", name, size(most))
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, nil, fmt.Errorf("%s: a folder, not a file", name)
	case !mode.IsRegular() && mode&fs.ModeNamedPipe == 0:
		return nil, nil, fmt.Errorf("%s: a device or socket; want a file or a pipe", name)
	case info.Size() > int64(most):
		return nil, nil, tooLarge
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(data) > int(most):
		return nil, nil, tooLarge
	}
	return data, info, nil
}

// notAnInput returns an error if a file that is to be written is one of the inputs, or in
// one that is a folder of rows. Inputs that are no files, but names, are none.
func notAnInput(flag, output string, inputs ...string) error {
	folder, _ := os.Stat(filepath.Dir(output))
	out, _ := os.Stat(output)
	for _, in := range inputs {
		info, err := os.Stat(in)
		switch {
		case in == "" || err != nil:
		case out != nil && os.SameFile(out, info):
			return fmt.Errorf("%s %s: that is read here; take another name", flag, output)
		case folder != nil && info.IsDir() && os.SameFile(folder, info):
			return fmt.Errorf("%s %s: in the folder of the rows %s, where only rows belong; take another place", flag, output, in)
		}
	}
	return nil
}

// logFile is the commit log. It is opened when nothing else can be wrong with
// the command line any more.
type logFile struct{ f *os.File }

func (l *logFile) Write(b []byte) (int, error) { return l.f.Write(b) }

// open creates the file, or empties it, unless it is one of those that are in
// use. It opens for writing only: so a pipe is broken when its reader ends.
func (l *logFile) open(name string, others []inUse) (err error) {
	if info, err := os.Stat(name); err == nil {
		for _, o := range others {
			if o.info != nil && info.Mode().IsRegular() && os.SameFile(info, o.info) {
				return fmt.Errorf("%s is %s; the log would overwrite it", name, o.what)
			}
		}
	}
	l.f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	return err
}

// inUse is a file that must not be overwritten.
type inUse struct {
	what string
	info fs.FileInfo // nil: it is no file
}

// statStream returns what a standard stream leads to; nil if it is no file.
func statStream(w io.Writer) fs.FileInfo {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}

// quoted shows a value of the command line, an empty one as well.
func quoted(s string) string {
	if s == "" {
		return `""`
	}
	return s
}

// missing tells whether there is no file of a name.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
