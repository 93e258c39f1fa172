package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"
)

// grace is how long a command may go on after Ctrl-C or its timeout, to end
// with what it has. One that does not is waiting for somebody else: a pipe that
// nobody reads or writes.
const grace = 2 * time.Second

// bug is a panic on its way from the goroutine it happened in.
type bug struct {
	value any
	stack []byte
}

func (b *bug) Error() string { return fmt.Sprint(b.value) }

func caught(r any) *bug {
	if b, ok := r.(*bug); ok {
		return b
	}
	return &bug{r, debug.Stack()}
}

// await returns what f returns, or the cause of the context's end if that
// comes first; f then goes on unheard, up to the end of the process. A panic of
// f is one of await.
func await[T any](ctx context.Context, f func() T) (T, error) {
	type outcome struct {
		value T
		bug   *bug
	}
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.bug = caught(r)
			}
			done <- o
		}()
		o.value = f()
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		select {
		case o = <-done: // both at once: what was done counts
		default:
			return o.value, context.Cause(ctx)
		}
	}
	if o.bug != nil {
		panic(o.bug)
	}
	return o.value, nil
}

// awaitReader is a reader whose Read ends with the context's error when the
// context ends, whatever r is waiting for.
type awaitReader struct {
	ctx context.Context
	r   io.Reader
}

func (a awaitReader) Read(b []byte) (int, error) {
	type read struct {
		data []byte // not b: a read that goes on unheard must not write there
		err  error
	}
	got, err := await(a.ctx, func() read {
		data := make([]byte, len(b))
		n, err := a.r.Read(data)
		return read{data[:n], err}
	})
	if err != nil {
		return 0, err
	}
	return copy(b, got.data), got.err
}
