// The real kustomize for tests: JSON lines in, JSON lines out, one process for many cases.
//
// A line {"files": {path: text}, "folder": path} is rendered and answered by {"objects": [...]}; with "edit": [argument...]
// the command `kustomize edit` runs in the folder, and the answer is {"files": {path: text}}. Either way the answer may be
// {"error": "..."}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/kustomize/v5/commands/edit"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

type question struct {
	Files  map[string]string `json:"files"`
	Folder string            `json:"folder"`
	Edit   []string          `json:"edit"`
}

type answer struct {
	Objects *[]any            `json:"objects,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
	Error   string            `json:"error,omitempty"`
}

func render(q question) (result answer) {
	// Some wrong input makes kustomize panic; that is a refusal, too.
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprint("panic: ", failure)}
		}
	}()
	fs := filesys.MakeFsInMemory()
	for path, text := range q.Files {
		if err := fs.WriteFile(filepath.Join("/", path), []byte(text)); err != nil {
			return answer{Error: err.Error()}
		}
	}
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	built, err := krusty.MakeKustomizer(options).Run(fs, filepath.Join("/", q.Folder))
	if err != nil {
		return answer{Error: err.Error()}
	}
	objects := []any{}
	for _, resource := range built.Resources() {
		// By way of the text that `kustomize build` prints, for its types.
		text, err := resource.AsYAML()
		if err != nil {
			return answer{Error: err.Error()}
		}
		var object any
		if err := yaml.Unmarshal(text, &object); err != nil {
			return answer{Error: err.Error()}
		}
		objects = append(objects, object)
	}
	return answer{Objects: &objects}
}

func runEdit(q question) (result answer) {
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprint("panic: ", failure)}
		}
	}()
	// On disk, in the working folder: patterns for file names match nothing in memory.
	folder, err := os.MkdirTemp("", "kustomize-edit-")
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		return answer{Error: err.Error()}
	}
	fs := filesys.MakeFsOnDisk()
	for path, text := range q.Files {
		if err := fs.WriteFile(path, []byte(text)); err != nil {
			return answer{Error: err.Error()}
		}
	}
	factory := provider.NewDefaultDepProvider()
	command := edit.NewCmdEdit(fs, factory.GetFieldValidator(), factory.GetResourceFactory(), io.Discard)
	command.SetArgs(q.Edit)
	command.SetOut(io.Discard)
	command.SetErr(io.Discard)
	command.SilenceUsage = true
	if err := command.Execute(); err != nil {
		return answer{Error: err.Error()}
	}
	result.Files = map[string]string{}
	for path := range q.Files {
		text, err := fs.ReadFile(path)
		if err != nil {
			return answer{Error: err.Error()}
		}
		result.Files[path] = string(text)
	}
	return result
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var q question
			result := answer{}
			if failure := json.Unmarshal(line, &q); failure != nil {
				result.Error = failure.Error()
			} else if q.Edit != nil {
				result = runEdit(q)
			} else {
				result = render(q)
			}
			if failure := out.Encode(result); failure != nil {
				fmt.Fprintln(os.Stderr, failure)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}
