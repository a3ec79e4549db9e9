// Package v1alpha1 has the kind of the benchmark.
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is that of all kinds here.
var GroupVersion = schema.GroupVersion{Group: "web.example.com", Version: "v1alpha1"}

// AddToScheme makes the kinds known.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

type Route struct {
	Host     string            `json:"host"`
	Path     string            `json:"path,omitempty"`
	Port     int32             `json:"port"`
	Weight   *int32            `json:"weight,omitempty"`
	Protocol string            `json:"protocol,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
}

type SiteSpec struct {
	Image    string   `json:"image"`
	Replicas *int32   `json:"replicas,omitempty"`
	LogLevel string   `json:"logLevel,omitempty"`
	Env      []EnvVar `json:"env,omitempty"`
	Routes   []Route  `json:"routes"`
}

type SiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   SiteSpec   `json:"spec"`
	Status SiteStatus `json:"status,omitzero"`
}

type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Site `json:"items"`
}

func (in *Route) DeepCopyInto(out *Route) {
	*out = *in
	if in.Weight != nil {
		out.Weight = new(*in.Weight)
	}
	if in.Headers != nil {
		out.Headers = make(map[string]string, len(in.Headers))
		for key, value := range in.Headers {
			out.Headers[key] = value
		}
	}
}

func (in *SiteSpec) DeepCopyInto(out *SiteSpec) {
	*out = *in
	if in.Replicas != nil {
		out.Replicas = new(*in.Replicas)
	}
	if in.Env != nil {
		out.Env = make([]EnvVar, len(in.Env))
		copy(out.Env, in.Env)
	}
	if in.Routes != nil {
		out.Routes = make([]Route, len(in.Routes))
		for index := range in.Routes {
			in.Routes[index].DeepCopyInto(&out.Routes[index])
		}
	}
}

func (in *SiteStatus) DeepCopyInto(out *SiteStatus) {
	*out = *in
	if in.Conditions != nil {
		out.Conditions = make([]metav1.Condition, len(in.Conditions))
		for index := range in.Conditions {
			in.Conditions[index].DeepCopyInto(&out.Conditions[index])
		}
	}
}

func (in *Site) DeepCopyInto(out *Site) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.DeepCopyInto(&out.Spec)
	in.Status.DeepCopyInto(&out.Status)
}

func (in *Site) DeepCopyObject() runtime.Object {
	out := new(Site)
	in.DeepCopyInto(out)
	return out
}

func (in *SiteList) DeepCopyObject() runtime.Object {
	out := new(SiteList)
	*out = *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	if in.Items != nil {
		out.Items = make([]Site, len(in.Items))
		for index := range in.Items {
			in.Items[index].DeepCopyInto(&out.Items[index])
		}
	}
	return out
}
