package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// Set sets one option from the command line. Keys of what is nested are joined
// by dots: scale.submit, columns.id, where.cluster, map.gpu_type.V100.
func (o *Options) Set(key, value string) error {
	head, rest, nested := strings.Cut(key, ".")
	if head == "where" || head == "columns" || head == "annotations" || head == "map" || head == "scale" {
		if !nested || rest == "" {
			return fmt.Errorf("option %s needs a name behind a dot, such as %s", head, map[string]string{
				"where": "where.cluster=abc", "columns": "columns.id=jobid", "annotations": "annotations.duration=example.com/duration", "map": "map.gpu_type.V100=V100-SXM2-16GB", "scale": "scale.submit=0.5"}[head])
		}
		return o.setNested(head, rest, value)
	}
	if nested {
		return fmt.Errorf("option %s has nothing below it; write %s=%s", head, head, value)
	}
	switch head {
	case "limit":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("option limit=%s: not a whole number", value)
		}
		o.Limit = &n
	case "strict":
		switch value {
		case "true", "false":
			o.Strict = value == "true"
		default:
			return fmt.Errorf("option strict=%s: write true or false", value)
		}
	case "from":
		o.From = value
	case "until":
		o.Until = value
	case "shift":
		o.Shift = value
	case "time_format":
		o.TimeFormat = value
	case "timezone":
		o.Timezone = value
	case "processors":
		o.Processors = value
	case "attempts":
		o.Attempts = value
	case "pending":
		o.Pending = value
	case "lifetime":
		o.Lifetime = value
	case "unfinished":
		o.Unfinished = value
	case "report_time":
		o.ReportTime = value
	default:
		return unknownWord("option", head, allOptions[:])
	}
	return nil
}

func (o *Options) setNested(head, rest, value string) error {
	switch head {
	case "where":
		o.Where = with(o.Where, rest, value)
	case "annotations":
		o.Annotations = with(o.Annotations, rest, value)
	case "columns":
		o.Columns = with(o.Columns, rest, value)
	case "map":
		field, name, ok := strings.Cut(rest, ".")
		if !ok || name == "" {
			return fmt.Errorf("option map.%s needs the old name behind a dot, such as map.%s.V100=V100-SXM2-16GB", rest, field)
		}
		if o.Map == nil {
			o.Map = map[string]map[string]string{}
		}
		o.Map[field] = with(o.Map[field], name, value)
	case "scale":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("option scale.%s=%s: not a number", rest, value)
		}
		switch rest {
		case "submit":
			o.Scale.Submit = &f
		case "duration":
			o.Scale.Duration = &f
		default:
			return unknownWord("option scale has no", rest, []string{"submit", "duration"})
		}
	}
	return nil
}

func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}
