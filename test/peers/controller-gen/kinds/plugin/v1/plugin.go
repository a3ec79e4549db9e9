// Package v1 holds Plugin: what a schema does not know.
// +kubebuilder:object:generate=true
// +groupName=ext.peers.example.com
// +versionName=v1
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Open objects keep what they are given.
// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	// Known field.
	// +optional
	Known string `json:"known,omitempty"`
}

// PluginSpec defines the desired state of Plugin.
type PluginSpec struct {
	// Config of the plugin.
	// +optional
	Config *apiextensionsv1.JSON `json:"config,omitempty"`

	// Extension of the plugin.
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Extension *runtime.RawExtension `json:"extension,omitempty"`

	// Object that the plugin makes.
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Object *runtime.RawExtension `json:"object,omitempty"`

	// Objects that the plugin makes too.
	// +kubebuilder:validation:items:XEmbeddedResource
	// +kubebuilder:validation:items:XPreserveUnknownFields
	// +listType=atomic
	// +optional
	Objects []runtime.RawExtension `json:"objects,omitempty"`

	// Open keeps what it is given.
	// +optional
	Open Open `json:"open,omitempty"`

	// Values by name, of any kind.
	// +optional
	Values map[string]apiextensionsv1.JSON `json:"values,omitempty"`

	// Free has no schema but this.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Free *apiextensionsv1.JSON `json:"free,omitempty"`

	// Number or text.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:XIntOrString
	// +optional
	Number apiextensionsv1.JSON `json:"number,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:pruning:PreserveUnknownFields

// Plugin is the Schema for the plugins API.
type Plugin struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the plugin.
	// +optional
	Spec PluginSpec `json:"spec,omitempty"`

	// Status of the plugin.
	// +kubebuilder:pruning:PreserveUnknownFields
	// +optional
	Status runtime.RawExtension `json:"status,omitempty"`
}
