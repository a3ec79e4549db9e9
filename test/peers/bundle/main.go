// Reads the folders of bundles as all of operator-framework does: with apimachinery's YAMLOrJSONDecoder, the first document of every
// file of manifests/, and metadata/annotations.yaml into a map of texts. For each folder one line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

type object struct {
	File       string `json:"file"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

type bundle struct {
	Objects     []object          `json:"objects"`
	Annotations map[string]string `json:"annotations"`
	Errors      []string          `json:"errors"`
}

func decode(path string, into any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return yaml.NewYAMLOrJSONDecoder(file, 30).Decode(into)
}

func read(folder string) (result bundle) {
	fail := func(path string, err error) {
		result.Errors = append(result.Errors, fmt.Sprintf("%s: %v", path, err))
	}
	manifests := filepath.Join(folder, "manifests")
	files, err := os.ReadDir(manifests)
	if err != nil {
		fail(manifests, err)
	}
	for _, file := range files {
		decoded := &unstructured.Unstructured{}
		if err := decode(filepath.Join(manifests, file.Name()), decoded); err != nil {
			fail(file.Name(), err)
			continue
		}
		result.Objects = append(result.Objects, object{
			File: file.Name(), APIVersion: decoded.GetAPIVersion(), Kind: decoded.GetKind(), Name: decoded.GetName(),
		})
	}
	annotations := struct {
		Annotations map[string]string `json:"annotations"`
	}{}
	if err := decode(filepath.Join(folder, "metadata", "annotations.yaml"), &annotations); err != nil {
		fail("annotations.yaml", err)
	}
	result.Annotations = annotations.Annotations
	return result
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, folder := range os.Args[1:] {
		if err := out.Encode(read(folder)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
