// A filter that shows how sigs.k8s.io/yaml writes objects: JSON lines in, JSON lines out.
// Each line of the input is one JSON value. Each line of the output is {"yaml": "..."} or {"error": "..."}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	YAML  string `json:"yaml,omitempty"`
	Error string `json:"error,omitempty"`
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

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if failure := out.Encode(write(line)); failure != nil {
				fmt.Fprintln(os.Stderr, failure)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}
