// A filter that shows how sigs.k8s.io/yaml writes and reads objects: JSON lines in, JSON lines out.
// Each line of the input is one JSON value. Each line of the output is {"yaml": "..."} or {"error": "..."}.
// With the argument "read", each line of the input is a text in YAML, and each line of the output {"json": ...} or {"error": "..."}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	YAML  string          `json:"yaml,omitempty"`
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

func write(line []byte) (result answer) {
	// The library panics on some text that it cannot represent; that is an answer too.
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprint(failure)}
		}
	}()
	out, err := yaml.JSONToYAML(line)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{YAML: string(out)}
}

func read(line []byte) (result answer) {
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprint(failure)}
		}
	}()
	var text string
	if err := json.Unmarshal(line, &text); err != nil {
		return answer{Error: err.Error()}
	}
	out, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{JSON: out}
}

func main() {
	answerTo := write
	if len(os.Args) > 1 && os.Args[1] == "read" {
		answerTo = read
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if failure := out.Encode(answerTo(line)); failure != nil {
				fmt.Fprintln(os.Stderr, failure)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}
