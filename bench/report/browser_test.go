package report

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium that is spoken to over two pipes (Chrome DevTools
// Protocol, --remote-debugging-pipe): JSON texts with a zero byte behind each.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	sent    int
	events  []event
}

type event struct {
	Method string
	Params json.RawMessage
}

// start starts a browser with an empty page, and ends it with the test.
func start(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium here (Debian: apt-get install chromium)")
	}
	dir, err := os.MkdirTemp("", "report-browser-")
	if err != nil {
		t.Fatal(err)
	}
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirsOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-dev-shm-usage", "--user-data-dir="+dir, "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{theirs, theirsOut} // 3 and 4
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	theirsOut.Close()
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	late := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	t.Cleanup(func() {
		b.session = ""
		fmt.Fprintf(to, `{"id":0,"method":"Browser.close"}`+"\x00")
		c.Wait()
		late.Stop()
		to.Close()
		from.Close()
		os.RemoveAll(dir)
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// read returns the next message.
func (b *browser) read() (m struct {
	ID     int
	Result json.RawMessage
	Error  *struct{ Message string }
	event
}) {
	b.t.Helper()
	text, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser ended: %v", err)
	}
	if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	if m.Method != "" {
		b.events = append(b.events, m.event)
	}
	return m
}

// call calls a method and puts what it returns into out.
func (b *browser) call(method string, params map[string]any, out any) {
	b.t.Helper()
	b.sent++
	m := map[string]any{"id": b.sent, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		r := b.read()
		if r.ID != b.sent || r.Method != "" {
			continue
		}
		if r.Error != nil {
			b.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		if out != nil {
			if err := json.Unmarshal(r.Result, out); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// open loads a page and waits for it.
func (b *browser) open(name string) {
	b.t.Helper()
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: name}).String()}, nil)
	for {
		for _, e := range b.events {
			if e.Method == "Page.loadEventFired" {
				return
			}
		}
		b.read()
	}
}

// value is what an expression is, as a text.
func (b *browser) value(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return fmt.Sprint(r.Result.Value)
}

// complaints are what the console shows: errors, warnings, what the policy refused, and
// what was asked of the network.
func (b *browser) complaints() (list []string) {
	for _, e := range b.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
			list = append(list, fmt.Sprintf("%s: %.500s", e.Method, e.Params))
		case "Network.requestWillBeSent":
			var r struct{ Request struct{ URL string } }
			json.Unmarshal(e.Params, &r)
			if !strings.HasPrefix(r.Request.URL, "file:") {
				list = append(list, "asks for "+r.Request.URL)
			}
		}
	}
	return list
}

// save writes a report where a browser finds it.
func save(t *testing.T, r *Report) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	if err := WriteFile(name, []byte(written(t, r))); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a browser")
	}
	b := start(t)
	t.Run("page", b.page)
	t.Run("hostile", b.hostile)
}

// In a browser the page sorts, filters, opens what links lead to, is dark where that is
// wished, does without its script, prints, and complains about nothing.
func (b *browser) page(t *testing.T) {
	b.t = t
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	name := save(t, New(world(nil), Options{Energy: proportional}))
	b.open(name)
	const helpers = `
		const table = document.getElementById("table-summary"), head = [...table.tHead.rows[0].cells];
		const column = name => head.findIndex(h => h.textContent === name);
		const shown = () => [...table.tBodies[0].rows].filter(r => !r.hidden);
		const texts = name => shown().map(r => r.cells[column(name)].textContent);
		const sort = name => { head[column(name)].querySelector("button").click(); return head[column(name)].getAttribute("aria-sort"); };
		const ordered = (list, up) => list.every((v, i) => i === 0 || (up ? list[i - 1] <= v : list[i - 1] >= v));
		const cycles = () => texts("cycles").map(s => Number(s.replaceAll(",", "")));
		const tools = table.closest(".large-frame").querySelector(".tools");
		const choose = (name, value) => {
			const label = [...tools.querySelectorAll("label")].find(l => l.firstChild.textContent === name), e = label.lastChild;
			e.value = value; e.dispatchEvent(new Event(e.tagName === "INPUT" ? "input" : "change"));
		};
		const all = shown().length;`
	b.value(helpers)
	for _, tt := range []struct{ expression, want string }{
		{`all > 150`, "true"},
		{`sort("cycles")`, "ascending"}, {`ordered(cycles(), true)`, "true"},
		{`sort("cycles")`, "descending"}, {`ordered(cycles(), false)`, "true"},
		{`head.filter(h => h.hasAttribute("aria-sort")).length`, "1"},
		{`sort("hash")`, "ascending"}, {`texts("hash")[0]`, "ascon"},
		{`sort("speed-up")`, "ascending"}, {`texts("speed-up").at(-1)`, "-"}, {`texts("speed-up")[0] !== "-"`, "true"},
		{`sort("speed-up")`, "descending"}, {`texts("speed-up").at(-1)`, "-"},
		{`choose("hash", "=shake12"); new Set(texts("hash")).size + texts("hash")[0]`, "1shake12"},
		{`choose("search", "SPHINCS sign"); [...new Set(texts("scheme"))] + " " + [...new Set(texts("operation"))]`, "sphincs sign"},
		{`shown().length`, "8"},
		{`tools.querySelector("output").textContent === "8 of " + all + " lines"`, "true"},
		{`choose("search", "<b>no such thing"); shown().length`, "0"},
		{`tools.querySelector("button").click(); shown().length === all`, "true"},
		// Small tables have no filter, but are sorted.
		{`document.querySelectorAll("table.sortable thead th").length === document.querySelectorAll("table.sortable th button").length`, "true"},
		{`document.querySelectorAll("table.sortable:not(.large) input").length`, "0"},
		// A link opens what it leads to: browsers do that.
		{`location.hash = "#table-c2-128f-cycles-saved-by-fewer-rounds"; ""`, ""},
		{`document.getElementById("table-c2-128f-cycles-saved-by-fewer-rounds").closest("details").open`, "true"},
		{`getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)"},
		// Nothing is wider than the window; tables scroll in their frames.
		{`document.documentElement.scrollWidth <= innerWidth`, "true"},
		{`[...document.querySelectorAll("svg[role=img]")].every(s => s.getAttribute("aria-label"))`, "true"},
		{`[...document.querySelectorAll("[id]")].length === new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size`, "true"},
	} {
		if got := b.value(tt.expression); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.expression, got, tt.want)
		}
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	if got := b.value(`getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector("svg .c9")).fill`); got != "rgb(20, 23, 28)rgb(110, 168, 254)" {
		t.Errorf("dark: %s", got)
	}
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true}, nil)
	if got := b.value(`document.documentElement.scrollWidth <= 360`); got != "true" {
		t.Errorf("on a telephone the page is %s wide", b.value(`document.documentElement.scrollWidth`))
	}
	b.value(`addEventListener("beforeprint", () => { window.open_ = document.querySelectorAll(".verdict details:not([open]), details:not([open]) figure").length; }); ""`)
	var pdf struct{ Data string }
	b.call("Page.printToPDF", map[string]any{"printBackground": false}, &pdf)
	if data, err := base64.StdEncoding.DecodeString(pdf.Data); err != nil || len(data) < 50_000 {
		t.Errorf("printed: %d bytes, %v", len(data), err)
	}
	if got := b.value(`open_`); got != "0" {
		t.Errorf("%s figures and verdicts are closed on paper", got)
	}
	if got := b.value(`document.querySelectorAll(".verdict details[open]").length`); got != "1" {
		t.Errorf("printing leaves %s verdicts open, the link opened one", got)
	}
	for _, c := range b.complaints() {
		t.Error(c)
	}

	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.open(name)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	for _, tt := range []struct{ expression, want string }{
		{`document.querySelectorAll("button, input, select").length`, "0"},
		{`document.querySelectorAll("#table-summary tbody tr").length > 150`, "true"},
		{`[...document.querySelectorAll("#table-summary tbody tr")].every(r => r.getClientRects().length > 0)`, "true"},
	} {
		if got := b.value(tt.expression); got != tt.want {
			t.Errorf("without its script: %s is %s, want %s", tt.expression, got, tt.want)
		}
	}
	for _, c := range b.complaints() {
		t.Error("without its script: " + c)
	}
}

// Rows that try to be a script, or a mark-up, stay text.
func (b *browser) hostile(t *testing.T) {
	b.t = t
	b.open(save(t, New(hostile(), Options{Title: "</title><script>alert(2)</script>", Energy: strange, EnergySource: "<img src=x onerror=alert(3)>"})))
	for _, tt := range []struct{ expression, want string }{
		{`document.scripts.length`, "1"},
		{`document.querySelectorAll("img, b:not(.verdict b, .card b), iframe, [onload], [onerror]").length`, "0"},
		{`document.title`, "</title><script>alert(2)</script>"},
		{`document.querySelectorAll("th button").length > 20`, "true"},
		{`document.documentElement.scrollWidth <= innerWidth`, "true"},
	} {
		if got := b.value(tt.expression); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.expression, got, tt.want)
		}
	}
	for _, c := range b.complaints() {
		t.Error(c)
	}
}
