// Asks kubectl's own code what it reads in the parent of an ApplySet, and what it would prune.
//
// Usage: oracle KUBECONFIG NAMESPACE NAME TOOLING [UID...]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/kubectl/pkg/cmd/apply"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

type answer struct {
	ID    string   `json:"id"`
	Prune []string `json:"prune"`
	Error string   `json:"error,omitempty"`
}

func ask(kubeconfig, namespace, name, tooling string, applied []string) (answer, error) {
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &kubeconfig
	factory := cmdutil.NewFactory(flags)
	mapper, err := factory.ToRESTMapper()
	if err != nil {
		return answer{}, err
	}
	parent, err := apply.ParseApplySetParentRef(name, mapper)
	if err != nil {
		return answer{}, err
	}
	parent.Namespace = namespace
	client, err := factory.UnstructuredClientForMapping(parent.RESTMapping)
	if err != nil {
		return answer{}, err
	}
	set := apply.NewApplySet(parent, apply.ApplySetTooling{Name: tooling, Version: "v1.36.3"}, mapper, client)
	result := answer{ID: set.ID(), Prune: []string{}}
	// It reads the parent; as a dry run of the client it writes nothing.
	if err := set.BeforeApply(nil, cmdutil.DryRunClient, "Strict"); err != nil {
		result.Error = err.Error()
		return result, nil
	}
	dynamic, err := factory.DynamicClient()
	if err != nil {
		return answer{}, err
	}
	uids := sets.New[types.UID]()
	for _, uid := range applied {
		uids.Insert(types.UID(uid))
	}
	objects, err := set.FindAllObjectsToPrune(context.Background(), dynamic, uids)
	if err != nil {
		return answer{}, err
	}
	for _, object := range objects {
		result.Prune = append(result.Prune, object.String())
	}
	sort.Strings(result.Prune)
	return result, nil
}

func main() {
	result, err := ask(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}
