package table

import (
	"fmt"
	"sync"
)

// spareBatches is how many batches may be on their way to the encoder while
// another is filled. More would only hold memory: a sink whose encoder cannot
// keep up makes its caller wait.
const spareBatches = 2

// Sink writes one table in one or more formats. The caller fills batches; one
// goroutine of the sink encodes the full ones, in order, so that encoding uses
// another core while the caller goes on.
//
// A sink belongs to one goroutine. Close must be called, also after an error.
type Sink struct {
	schema  *Schema
	cur     *Batch
	made    int
	full    chan *Batch
	free    chan *Batch
	done    chan struct{}
	closed  bool
	writers []Writer

	mu  sync.Mutex
	err error // the first error, of the encoder or of the caller
}

// Open creates the files of a table in dir, one a format, and starts the
// encoder. Existing files of the same names are replaced.
func Open(dir string, schema Schema, formats []Format) (*Sink, error) {
	if err := schema.check(); err != nil {
		return nil, err
	}
	s := &Sink{
		schema: &schema,
		full:   make(chan *Batch, spareBatches),
		free:   make(chan *Batch, spareBatches+1),
		done:   make(chan struct{}),
	}
	for _, f := range formats {
		w, err := open(dir, s.schema, f)
		if err != nil {
			for _, w := range s.writers {
				w.Close()
			}
			return nil, err
		}
		s.writers = append(s.writers, w)
	}
	s.cur = s.next()
	go s.encode()
	return s, nil
}

// Batch returns the batch to put the next row into. Call it once a row: it
// passes a full batch on and returns another, waiting if the encoder is behind.
func (s *Sink) Batch() *Batch {
	if s.cur.full() {
		s.full <- s.cur
		s.cur = s.next()
	}
	return s.cur
}

// next returns an empty batch, a used one if there is one.
func (s *Sink) next() *Batch {
	select {
	case b := <-s.free:
		return b
	default:
	}
	if s.made <= spareBatches {
		s.made++
		return newBatch(s.schema)
	}
	return <-s.free
}

// Err returns the first error so far, so that a long run need not go on to its
// end when the disk is full. Mistakes in a batch show once it is encoded.
func (s *Sink) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Close writes the last rows, ends the files and returns the first error since
// Open. Closing again returns the same.
func (s *Sink) Close() error {
	if !s.closed {
		s.closed = true
		if s.cur.set != 0 {
			s.cur.fail("the row is not ended")
			s.cur.EndRow()
		}
		s.full <- s.cur
		close(s.full)
		<-s.done
	}
	return s.Err()
}

// encode writes batches until the sink is closed. After an error it only takes
// them away, so that the caller never hangs.
func (s *Sink) encode() {
	defer close(s.done)
	for b := range s.full {
		if s.Err() == nil {
			s.note(s.write(b))
		}
		b.reset()
		s.free <- b
	}
	for _, w := range s.writers {
		s.note(w.Close())
	}
}

func (s *Sink) write(b *Batch) error {
	if b.err != nil {
		return b.err
	}
	if b.rows == 0 {
		return nil
	}
	for _, w := range s.writers {
		if err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sink) note(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = fmt.Errorf("writing table %s: %w", s.schema.Name, err)
	}
}
