package event

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Stream returns the random stream of one purpose and entity of a run. Its
// seed is the SHA-256 of (seed, name, entity), so streams are independent and
// adding one moves no draw of another. The generator is ChaCha8, whose bit
// stream is fixed by the standard library.
func Stream(seed uint64, name string, entity uint64) *rand.Rand {
	h := sha256.New()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(name))
	h.Write([]byte{0})
	binary.LittleEndian.PutUint64(b[:], entity)
	h.Write(b[:])
	var key [32]byte
	copy(key[:], h.Sum(nil))
	return rand.New(rand.NewChaCha8(key))
}
