package trace

import (
	"bytes"
	"fmt"
)

// phillyRecord is one object of the log, as text: nothing is interpreted yet.
type phillyRecord struct {
	id, status, vc, user, submitted []byte
	attempts                        []phillyAttempt
	gpus                            []phillyGPU // of all attempts
	unknown                         []string    // keys that are not read, up to samples of them
	unknowns                        int64       // how many there are
	repeated                        int64       // GPUs that an attempt lists twice

	reason, damage string // why the record cannot be used
	damageAt       int    // offset in the element
	text           jsonText
}

// phillyAttempt is one attempt; its GPUs are gpus[from:to].
type phillyAttempt struct {
	start, end []byte
	from, to   int
}

type phillyGPU struct{ machine, gpu []byte }

// phillyMost is how many attempts a job may have, and how many GPUs in all of
// them.
const phillyMost = 1 << 16

// none says whether a value is missing, in any of the ways the log has.
func none(b []byte) bool {
	b = trim(b)
	return len(b) == 0 || string(b) == "None" || string(b) == "null"
}

// parse takes an element apart.
func (p *phillyRecord) parse(element []byte) {
	*p = phillyRecord{attempts: p.attempts[:0], gpus: p.gpus[:0], unknown: p.unknown[:0],
		text: jsonText{b: element, spare: p.text.spare[:0]}}
	if len(element) == 0 || element[0] != '{' {
		p.refuse("not-a-job", "the element is not an object")
		return
	}
	var seen uint
	err := p.text.each('{', func(key []byte) error {
		switch string(key) {
		case "jobid":
			return p.once(&seen, 0, key, &p.id)
		case "status":
			return p.once(&seen, 1, key, &p.status)
		case "vc":
			return p.once(&seen, 2, key, &p.vc)
		case "user":
			return p.once(&seen, 3, key, &p.user)
		case "submitted_time":
			return p.once(&seen, 4, key, &p.submitted)
		case "attempts":
			if seen&(1<<5) != 0 {
				p.refuse("duplicate-key", fmt.Sprintf("key %q stands twice in the record", key))
			}
			seen |= 1 << 5
			return p.readAttempts()
		}
		return p.ignore(key)
	})
	if err == nil && p.text.peek() != 0 {
		err = errJSON
	}
	if err != nil {
		p.refuse("damaged-line", "the record is not what the format has here: "+quoted(bytes.TrimSpace(p.text.b[min(p.text.i, len(p.text.b)):])))
	}
}

// refuse notes the first thing that is wrong.
func (p *phillyRecord) refuse(reason, message string) {
	if p.reason == "" {
		p.reason, p.damage, p.damageAt = reason, message, min(p.text.i, len(p.text.b))
	}
}

// once reads the value of a key that may stand once.
func (p *phillyRecord) once(seen *uint, bit uint, key []byte, to *[]byte) error {
	if *seen&(1<<bit) != 0 {
		p.refuse("duplicate-key", fmt.Sprintf("key %q stands twice in the record", key))
	}
	*seen |= 1 << bit
	v, err := p.text.scalar()
	if *to == nil {
		*to = v
	}
	return err
}

// ignore skips the value of a key that is not read.
func (p *phillyRecord) ignore(key []byte) error {
	if p.unknowns++; len(p.unknown) < samples {
		p.unknown = append(p.unknown, cutText(key))
	}
	return p.text.skip()
}

// null skips a null in place of a list.
func (p *phillyRecord) null() bool {
	if p.text.peek() != 'n' {
		return false
	}
	v, err := p.text.scalar()
	return err == nil && v == nil
}

func (p *phillyRecord) readAttempts() error {
	if p.null() {
		return nil
	}
	return p.text.each('[', func([]byte) error {
		a := phillyAttempt{from: len(p.gpus)}
		var seen uint
		err := p.text.each('{', func(key []byte) error {
			switch string(key) {
			case "start_time":
				return p.once(&seen, 0, key, &a.start)
			case "end_time":
				return p.once(&seen, 1, key, &a.end)
			case "detail":
				if seen&(1<<2) != 0 {
					p.refuse("duplicate-key", fmt.Sprintf("key %q stands twice in an attempt", key))
				}
				seen |= 1 << 2
				return p.readDetail(a.from)
			}
			return p.ignore(key)
		})
		a.to = len(p.gpus)
		if len(p.attempts) < phillyMost {
			p.attempts = append(p.attempts, a)
		} else {
			p.refuse("out-of-range", fmt.Sprintf("more than %d attempts", phillyMost))
		}
		return err
	})
}

// readDetail reads the machines and GPUs of an attempt whose GPUs begin at from.
func (p *phillyRecord) readDetail(from int) error {
	if p.null() {
		return nil
	}
	return p.text.each('[', func([]byte) error {
		var machine []byte
		mine := len(p.gpus)
		var seen uint
		err := p.text.each('{', func(key []byte) error {
			switch string(key) {
			case "ip":
				return p.once(&seen, 0, key, &machine)
			case "gpus":
				if p.null() {
					return nil
				}
				return p.text.each('[', func([]byte) error {
					g, err := p.text.scalar()
					if len(p.gpus) < phillyMost {
						p.gpus = append(p.gpus, phillyGPU{gpu: g})
					} else {
						p.refuse("out-of-range", fmt.Sprintf("more than %d GPUs in all attempts", phillyMost))
					}
					return err
				})
			}
			return p.ignore(key)
		})
		for i := mine; i < len(p.gpus); i++ {
			p.gpus[i].machine = machine
		}
		p.dropRepeats(from, mine)
		return err
	})
}

// dropRepeats removes GPUs from mine on that the attempt has listed before.
func (p *phillyRecord) dropRepeats(from, mine int) {
	var known map[string]bool // of a large attempt, in which looking is slow
	if len(p.gpus)-from > 64 {
		known = make(map[string]bool, len(p.gpus)-from)
		for _, g := range p.gpus[from:mine] {
			known[string(g.machine)+"\x00"+string(g.gpu)] = true
		}
	}
	keep := mine
	for _, g := range p.gpus[mine:] {
		twice := false
		if known != nil {
			key := string(g.machine) + "\x00" + string(g.gpu)
			twice = known[key]
			known[key] = true
		}
		for k := from; known == nil && k < keep && !twice; k++ {
			twice = bytes.Equal(p.gpus[k].gpu, g.gpu) && bytes.Equal(p.gpus[k].machine, g.machine)
		}
		if twice {
			p.repeated++
			continue
		}
		p.gpus[keep] = g
		keep++
	}
	p.gpus = p.gpus[:keep]
}
