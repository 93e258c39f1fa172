package main

import "testing"

func TestGeneratedFilesAreCurrent(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}
