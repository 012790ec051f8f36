package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// spoolLimit is the most that is kept of a path that cannot be read twice.
const spoolLimit = 256 << 20

// input is one file of a trace. It can be opened again and again: a path that
// cannot be re-read (a pipe, standard input as "-") is kept in memory.
type input struct {
	path        string
	spool       []byte
	spooled     bool
	compression string // none, gzip or zstd
	encoding    string // utf-8, or utf-8-bom with a byte order mark
	lines       int64
	records     int64
	sha256      string // of the bytes as stored
}

// newInput looks at a path and spools what cannot be re-read.
func newInput(path string) (*input, error) {
	in := &input{path: path}
	if path == "-" {
		return in, in.keep(os.Stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the file in it", path)
	}
	if !info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return in, in.keep(f)
	}
	return in, nil
}

// keep reads all of r into memory.
func (in *input) keep(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, spoolLimit+1))
	if err != nil {
		return fmt.Errorf("reading %s: %w", in.path, err)
	}
	if len(data) > spoolLimit {
		return fmt.Errorf("%s cannot be read twice and holds more than %d MiB; save it to a file first", in.path, spoolLimit>>20)
	}
	in.spool, in.spooled = data, true
	return nil
}

// stream is an opened input: plain UTF-8 text, or nearly so.
type stream struct {
	in          *input
	raw         io.Reader // as stored, seen by the hash
	text        io.Reader // unpacked, without a byte order mark
	compression string
	encoding    string
	hash        hash.Hash // nil: not wanted
	close       func()
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.text.Read(p)
	if err != nil && err != io.EOF {
		err = s.explain(err)
	}
	return n, err
}

// open starts reading the input from the beginning, with or without hashing
// it. Several streams of one input may be open at once.
func (in *input) open(hashed bool) (*stream, error) {
	s := &stream{in: in, close: func() {}}
	if in.spooled {
		s.raw = bytes.NewReader(in.spool)
	} else {
		f, err := os.Open(in.path)
		if err != nil {
			return nil, err
		}
		s.raw = f
		s.close = func() { f.Close() }
	}
	if hashed {
		s.hash = sha256.New()
		s.raw = io.TeeReader(s.raw, s.hash)
	}
	if err := s.unpack(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// unpack decides by content how the bytes are packed and encoded.
func (s *stream) unpack() error {
	head, err := peek(&s.raw, 8)
	if err != nil {
		return fmt.Errorf("reading %s: %w", s.in.path, err)
	}
	s.compression = "none"
	s.text = s.raw
	switch kind := packing(head); kind {
	case "":
	case "gzip":
		s.compression = kind
		z, err := gzip.NewReader(s.raw)
		if err != nil {
			return s.explain(err)
		}
		s.text = z
	case "zstd":
		s.compression = kind
		z, err := zstd.NewReader(s.raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return s.explain(err)
		}
		shut := s.close
		s.close = func() { z.Close(); shut() }
		s.text = z
	default:
		return fmt.Errorf("%s is packed with %s, which is not read; unpack it, or pack it with gzip or zstd", s.in.path, kind)
	}
	head, err = peek(&s.text, 512)
	if err != nil {
		return s.explain(err)
	}
	return s.decode(head)
}

// packing names the packing that the first bytes of a file tell; "" is none.
func packing(head []byte) string {
	for _, m := range []struct{ magic, kind string }{
		{"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"\xfd7zXZ\x00", "xz"},
		{"BZh", "bzip2"}, {"PK\x03\x04", "zip"}, {"7z\xbc\xaf\x27\x1c", "7z"}, {"\x04\x22\x4d\x18", "lz4"},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.kind
		}
	}
	if len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18" {
		return "zstd" // begins with a skippable frame
	}
	return ""
}

// decode looks at the first text and drops a byte order mark.
func (s *stream) decode(head []byte) error {
	s.encoding = "utf-8"
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		s.encoding = "utf-8-bom"
		_, err := io.CopyN(io.Discard, s.text, 3)
		return err
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return s.otherEncoding("UTF-32")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), wideText(head, 1):
		return s.otherEncoding("UTF-16 (little endian)")
	case bytes.HasPrefix(head, []byte("\xfe\xff")), wideText(head, 0):
		return s.otherEncoding("UTF-16 (big endian)")
	case bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/")):
		return fmt.Errorf("%s is a Git LFS pointer, not the data; fetch the file it points to (git lfs pull)", s.in.path)
	case packing(head) == "gzip" || packing(head) == "zstd":
		return fmt.Errorf("%s is packed twice; unpack it once", s.in.path)
	}
	return nil
}

func (s *stream) otherEncoding(name string) error {
	return fmt.Errorf("%s is encoded in %s; convert it to UTF-8", s.in.path, name)
}

// wideText says whether every second byte of a text's beginning is zero.
func wideText(head []byte, zeroAt int) bool {
	if len(head) < 8 {
		return false
	}
	for i, c := range head[:8] {
		if (c == 0) != (i%2 == zeroAt) {
			return false
		}
	}
	return true
}

// peek reads up to n bytes and puts them back in front of r.
func peek(r *io.Reader, n int) ([]byte, error) {
	head := make([]byte, 0, n)
	for len(head) < n {
		k, err := (*r).Read(head[len(head):n])
		head = head[:len(head)+k]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	*r = io.MultiReader(bytes.NewReader(head), *r)
	return head, nil
}

// finish reads what is left behind the text of a hashed stream, and notes in
// the input what was learned about its bytes.
func (s *stream) finish() error {
	if _, err := io.Copy(io.Discard, s.raw); err != nil {
		return fmt.Errorf("reading %s: %w", s.in.path, err)
	}
	s.in.compression, s.in.encoding = s.compression, s.encoding
	s.in.sha256 = hex.EncodeToString(s.hash.Sum(nil))
	return nil
}

// explain puts an unpacking error into words.
func (s *stream) explain(err error) error {
	kind := s.compression
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: unexpected end of the %s data: the file is cut short; fetch it again", s.in.path, kind)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return fmt.Errorf("%s: the checksum of the %s data does not match: the file is damaged; fetch it again", s.in.path, kind)
	case errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%s: the gzip data is damaged or something else follows it", s.in.path)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("%s: the zstd data needs more memory to unpack than the limit of 128 MiB", s.in.path)
	}
	if kind == "none" {
		return fmt.Errorf("reading %s: %w", s.in.path, err)
	}
	return fmt.Errorf("%s: unpacking %s: %w", s.in.path, kind, err)
}

// clean replaces what is not UTF-8.
func clean(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// cutText is clean for a place where a very long text would be in the way.
func cutText(b []byte) string {
	const most = 200 // bytes
	if len(b) > most {
		return clean(b[:most]) + "..."
	}
	return clean(b)
}
