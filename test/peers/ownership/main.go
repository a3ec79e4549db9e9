// Moves managed fields as client-go's csaupgrade does.
//
// Reads an array of cases from standard input, and writes an array with the managed fields of each.
package main

import (
	"encoding/json"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
)

type example struct {
	ManagedFields []metav1.ManagedFieldsEntry `json:"managedFields"`
	From          []string                    `json:"from"`
	To            string                      `json:"to"`
}

func move(each example) ([]metav1.ManagedFieldsEntry, error) {
	object := &metav1.PartialObjectMetadata{}
	object.SetManagedFields(each.ManagedFields)
	for _, subresource := range []string{"", "status"} {
		from := sets.New(each.From...)
		if err := csaupgrade.UpgradeManagedFields(object, from, each.To, csaupgrade.Subresource(subresource)); err != nil {
			return nil, err
		}
	}
	return object.GetManagedFields(), nil
}

func main() {
	var examples []example
	if err := json.NewDecoder(os.Stdin).Decode(&examples); err != nil {
		panic(err)
	}
	results := make([][]metav1.ManagedFieldsEntry, len(examples))
	for i, each := range examples {
		moved, err := move(each)
		if err != nil {
			panic(err)
		}
		results[i] = moved
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
