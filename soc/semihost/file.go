package semihost

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"socsim/bus"
)

// file is something with a handle.
type file interface {
	read(b []byte) (int, error)
	write(b []byte) (int, error)
	seek(pos uint32) error
	length() (uint32, error)
	tty() bool
	close() error
}

// Names with a meaning of their own.
const (
	consoleName  = ":tt"
	featuresName = ":semihosting-features"
)

// features is the content of featuresName: the magic, then one bit each for
// SYS_EXIT_EXTENDED and for a stderr apart from stdout.
var features = []byte{'S', 'H', 'F', 'B', 0x3}

// Modes of SYS_OPEN are those of fopen in the order r rb r+ r+b w wb w+ w+b a
// ab a+ a+b; the pair of a number is the same without and with b.
var openFlags = [...]int{
	os.O_RDONLY, os.O_RDWR,
	os.O_WRONLY | os.O_CREATE | os.O_TRUNC, os.O_RDWR | os.O_CREATE | os.O_TRUNC,
	os.O_WRONLY | os.O_CREATE | os.O_APPEND, os.O_RDWR | os.O_CREATE | os.O_APPEND,
}

const (
	maxName  = 4096
	maxFiles = 256
)

func (c *call) open() Outcome {
	addr, mode, length := c.p[0], c.p[1], c.p[2]
	if length > maxName {
		return Outcome{Fault: c.fault(fmt.Sprintf("a file name of %d bytes", length), "the third word of the block is the length of the name")}
	}
	b, fault := c.bytes(addr, length, "file name")
	if fault != nil {
		return Outcome{Fault: fault}
	}
	if mode/2 >= uint32(len(openFlags)) {
		return c.fail(errInvalid)
	}
	f, errno := c.openName(string(b), openFlags[mode/2], mode)
	if f == nil {
		return c.fail(errno)
	}
	for i := range c.files {
		if c.files[i] == nil {
			c.files[i] = f
			return Outcome{Return: uint32(i) + 1}
		}
	}
	if len(c.files) >= maxFiles {
		f.close()
		return c.fail(errAccess)
	}
	c.files = append(c.files, f)
	return Outcome{Return: uint32(len(c.files))}
}

func (c *call) openName(name string, flags int, mode uint32) (file, uint32) {
	switch {
	case name == consoleName && mode < 4:
		return &console{h: c.Host}, 0
	case name == consoleName && mode < 8:
		return &console{out: c.cfg.Stdout}, 0
	case name == consoleName:
		return &console{out: c.cfg.Stderr}, 0
	case name == featuresName:
		if flags != os.O_RDONLY {
			return nil, errReadOnly
		}
		return &featureFile{}, 0
	case c.root == nil:
		c.note("the guest tried to open %q; it has no files unless a directory is given", name)
		return nil, errAccess
	case flags != os.O_RDONLY && !c.cfg.DirWrite:
		c.note("the guest tried to open %q for writing; its files are read-only", name)
		return nil, errReadOnly
	}
	if info, err := c.root.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errAccess // opening a pipe would wait for its other end
	}
	f, err := c.root.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, errnoOf(err)
	}
	return &hostFile{f}, 0
}

func errnoOf(err error) uint32 {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errNoEntry
	case errors.Is(err, fs.ErrPermission):
		return errAccess
	case errors.Is(err, errNotSeekable):
		return errSeek
	case errors.Is(err, syscall.EBADF): // written although opened to read, or the other way round
		return errBadFile
	}
	return errIO
}

// file returns the open file of a handle, or fails with EBADF.
func (c *call) file() (file, bool) {
	i := c.p[0] - 1
	if i >= uint32(len(c.files)) || c.files[i] == nil {
		c.errno = errBadFile
		return nil, false
	}
	return c.files[i], true
}

func (c *call) closeFile() Outcome {
	f, ok := c.file()
	if !ok {
		return Outcome{Return: failed}
	}
	c.files[c.p[0]-1] = nil
	if err := f.close(); err != nil {
		return c.fail(errIO)
	}
	return Outcome{}
}

// buffer returns the memory a read or write names in words 1 and 2.
func (c *call) buffer() ([]byte, *bus.Fault) { return c.bytes(c.p[1], c.p[2], "buffer") }

// write returns the number of bytes not written.
func (c *call) write() Outcome {
	b, fault := c.buffer()
	if fault != nil {
		return Outcome{Fault: fault}
	}
	f, ok := c.file()
	if !ok {
		return Outcome{Return: c.p[2]}
	}
	n, err := f.write(b)
	if err != nil {
		c.errno = errnoOf(err)
	}
	return Outcome{Return: c.p[2] - uint32(n)}
}

// read returns the number of bytes not read: all of them at the end of a file.
func (c *call) read() Outcome {
	b, fault := c.buffer()
	if fault != nil {
		return Outcome{Fault: fault}
	}
	f, ok := c.file()
	if !ok {
		return Outcome{Return: c.p[2]}
	}
	n, err := f.read(b)
	if err != nil && err != io.EOF {
		c.errno = errnoOf(err)
	}
	c.mem.Wrote(c.p[1], uint32(n))
	return Outcome{Return: c.p[2] - uint32(n)}
}

func (c *call) isTTY() Outcome {
	f, ok := c.file()
	if ok && f.tty() {
		return Outcome{Return: 1}
	}
	return Outcome{}
}

func (c *call) seek() Outcome {
	f, ok := c.file()
	if !ok {
		return Outcome{Return: failed}
	}
	if err := f.seek(c.p[1]); err != nil {
		return c.fail(errnoOf(err))
	}
	return Outcome{}
}

func (c *call) fileLength() Outcome {
	f, ok := c.file()
	if !ok {
		return Outcome{Return: failed}
	}
	n, err := f.length()
	if err != nil {
		return c.fail(errnoOf(err))
	}
	return Outcome{Return: n}
}

var (
	errNotSeekable = errors.New("cannot seek")
	errDirection   = fmt.Errorf("wrong direction: %w", fs.ErrPermission)
)

// console is one of the three standard streams.
type console struct {
	h   *Host     // input
	out io.Writer // output
}

// read stops behind a newline, as a terminal does: so what the guest sees
// does not depend on how the host's pipe cuts its input.
func (c *console) read(b []byte) (int, error) {
	if c.h == nil {
		return 0, errDirection
	}
	if c.h.stdin == nil {
		return 0, io.EOF
	}
	for n := range b {
		x, err := c.h.stdin.ReadByte()
		if err != nil {
			return n, err
		}
		if b[n] = x; x == '\n' {
			return n + 1, nil
		}
	}
	return len(b), nil
}

func (c *console) write(b []byte) (int, error) {
	if c.out == nil {
		return 0, errDirection
	}
	return c.out.Write(b)
}

func (c *console) seek(uint32) error       { return errNotSeekable }
func (c *console) length() (uint32, error) { return 0, nil }
func (c *console) tty() bool               { return true }
func (c *console) close() error            { return nil }

// featureFile tells a program what this host can do.
type featureFile struct{ pos uint32 }

func (f *featureFile) read(b []byte) (int, error) {
	if f.pos >= uint32(len(features)) {
		return 0, io.EOF
	}
	n := copy(b, features[f.pos:])
	f.pos += uint32(n)
	return n, nil
}
func (f *featureFile) write([]byte) (int, error) { return 0, errDirection }
func (f *featureFile) seek(pos uint32) error     { f.pos = pos; return nil }
func (f *featureFile) length() (uint32, error)   { return uint32(len(features)), nil }
func (f *featureFile) tty() bool                 { return false }
func (f *featureFile) close() error              { return nil }

// hostFile is a regular file below Config.Dir.
type hostFile struct{ f *os.File }

func (f *hostFile) read(b []byte) (int, error) {
	n, err := io.ReadFull(f.f, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
func (f *hostFile) write(b []byte) (int, error) { return f.f.Write(b) }
func (f *hostFile) seek(pos uint32) error {
	_, err := f.f.Seek(int64(pos), io.SeekStart)
	return err
}
func (f *hostFile) length() (uint32, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > 1<<31-1 {
		return 0, errNotSeekable
	}
	return uint32(info.Size()), nil
}
func (f *hostFile) tty() bool    { return false }
func (f *hostFile) close() error { return f.f.Close() }
