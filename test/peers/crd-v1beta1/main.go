// A filter that converts CustomResourceDefinitions from v1beta1 to v1 with the API server's own code: JSON lines in, JSON
// lines out, without status.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

func main() {
	log.SetFlags(0)
	scheme := runtime.NewScheme()
	install.Install(scheme)
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout)
	for {
		var line json.RawMessage
		err := in.Decode(&line)
		if err == io.EOF {
			return
		}
		check(err)
		var old v1beta1.CustomResourceDefinition
		// The standard library would take jsonPath for JSONPath.
		check(utiljson.Unmarshal(line, &old))
		scheme.Default(&old)
		var internal apiextensions.CustomResourceDefinition
		check(scheme.Convert(&old, &internal, nil))
		var current v1.CustomResourceDefinition
		check(scheme.Convert(&internal, &current, nil))
		current.APIVersion, current.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
		encoded, err := json.Marshal(current)
		check(err)
		var document map[string]any
		check(json.Unmarshal(encoded, &document))
		delete(document, "status")
		check(out.Encode(document))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
