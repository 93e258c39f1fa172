package rijndael

import (
	"crypto/aes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The checks of the SPEC, section 4.1.
func TestSpec(t *testing.T) {
	var zero, key, block [32]byte
	for i := range 32 {
		key[i], block[i] = byte(i), byte(17*i)
	}
	for _, test := range []struct {
		name       string
		key, block [32]byte
		want       string
	}{
		{"zeros", zero, zero, "c6227e7740b7e53b5cb77865278eab0726f62366d9aabad908936123a1fc8af3"},
		{"counting", key, block, "288fa9d23d00d9dc0a39b33fa92867c6488b5e0f18a6f74c072078ec815462e6"},
	} {
		c, err := New(test.key[:])
		if err != nil {
			t.Fatal(err)
		}
		got := test.block
		c.Encrypt(got[:], got[:])
		if hex.EncodeToString(got[:]) != test.want {
			t.Errorf("%s: %x, want %s", test.name, got, test.want)
		}
	}
}

func TestKeyLength(t *testing.T) {
	for _, n := range []int{0, 16, 31, 33} {
		if _, err := New(make([]byte, n)); err == nil {
			t.Errorf("a key of %d bytes is accepted", n)
		}
	}
}

// A chain of encryptions under changing keys, folded into one digest, by the tables
// and by the book.
func TestDigest(t *testing.T) {
	const want = "eca2739da5b55ce9098b39a8b055c5f760ef50b40e0b5102f603eac4051788d9"
	for _, test := range []struct {
		name    string
		encrypt func(key, block []byte) []byte
	}{{"Encrypt", encryptOnce}, {"by the book", byTheBook}} {
		key, block := make([]byte, 32), make([]byte, 32)
		h := sha256.New()
		for i := range 500 {
			block = test.encrypt(key, block)
			h.Write(block)
			key[i%32] ^= block[0]
			block[i%31] ^= byte(i)
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: digest %s, want %s", test.name, got, want)
		}
	}
}

func TestProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key")
		block := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "block")
		if diff := cmp.Diff(byTheBook(key, block), encryptOnce(key, block)); diff != "" {
			t.Fatalf("(-by the book +Encrypt):\n%s", diff)
		}
	})
}

// What is by the book here is the book's AES, too.
func TestByTheBookIsAES(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key")
		block := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "block")
		c, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]byte, 16)
		c.Encrypt(want, block)
		if diff := cmp.Diff(want, byTheBook(key, block)); diff != "" {
			t.Fatalf("(-AES +by the book):\n%s", diff)
		}
	})
}

func encryptOnce(key, block []byte) []byte {
	c, err := New(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, BlockSize)
	c.Encrypt(out, block)
	return out
}

// mul is the product in GF(2^8), bookBox the S-box by its definition.
func mul(x, y byte) (product byte) {
	for ; y > 0; y >>= 1 {
		product ^= x * (y & 1)
		x = x<<1 ^ x>>7*0x1b
	}
	return product
}

var bookBox = func() (box [256]byte) {
	for b := range box {
		inverse := byte(0)
		for x := range 256 {
			if mul(byte(b), byte(x)) == 1 {
				inverse = byte(x)
			}
		}
		for i := range 8 { // FIPS 197, equation 5.2
			bit := byte(0x63) >> i & 1
			for _, from := range []int{0, 4, 5, 6, 7} {
				bit ^= inverse >> ((i + from) % 8) & 1
			}
			box[b] |= bit << i
		}
	}
	return box
}()

// byTheBook is Rijndael with a key of 256 bits, by the steps of the proposal, for a
// block of 256 bits, or of 128 bits, which makes it AES-256. It shares nothing with
// the package.
func byTheBook(key, block []byte) []byte {
	nb := len(block) / 4
	w := append([]byte(nil), key...) // 4·Nb·(Nr + 1) bytes
	rcon := byte(1)
	for i := 8; i < nb*15; i++ {
		t := [4]byte(w[4*i-4:])
		switch i % 8 {
		case 0:
			t = [4]byte{bookBox[t[1]] ^ rcon, bookBox[t[2]], bookBox[t[3]], bookBox[t[0]]}
			rcon = mul(rcon, 2)
		case 4:
			t = [4]byte{bookBox[t[0]], bookBox[t[1]], bookBox[t[2]], bookBox[t[3]]}
		}
		for j := range 4 {
			w = append(w, w[4*i-32+j]^t[j])
		}
	}

	offsets := map[int][4]int{4: {0, 1, 2, 3}, 8: {0, 1, 3, 4}}[nb]
	s := append([]byte(nil), block...)
	for r := range 15 {
		if r > 0 {
			shifted := make([]byte, len(s))
			for col := range nb {
				for row := range 4 {
					shifted[4*col+row] = bookBox[s[4*((col+offsets[row])%nb)+row]]
				}
			}
			s = shifted
		}
		if r > 0 && r < 14 {
			for col := range nb {
				c := [4]byte(s[4*col:])
				for row := range 4 {
					s[4*col+row] = mul(c[row], 2) ^ mul(c[(row+1)%4], 3) ^ c[(row+2)%4] ^ c[(row+3)%4]
				}
			}
		}
		for i := range s {
			s[i] ^= w[4*nb*r+i]
		}
	}
	return s
}

func BenchmarkEncrypt(b *testing.B) {
	var c Cipher
	c.SetKey(new([32]byte))
	var block [32]byte
	for b.Loop() {
		c.Encrypt(block[:], block[:])
	}
}

func BenchmarkSetKey(b *testing.B) {
	var c Cipher
	var key [32]byte
	for b.Loop() {
		c.SetKey(&key)
	}
}
