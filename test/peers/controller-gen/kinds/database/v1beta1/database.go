// Package v1beta1 holds a version of Database.
// +kubebuilder:object:generate=true
// +groupName=data.peers.example.com
// +versionName=v1beta1
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DatabaseSpec defines the desired state of Database.
type DatabaseSpec struct {
	// Engine of the database.
	// +kubebuilder:validation:Enum=postgres;mysql
	Engine string `json:"engine"`

	// Version of the engine.
	// +optional
	Version string `json:"version,omitempty"`
}

// DatabaseStatus defines the observed state of Database.
type DatabaseStatus struct {
	// Phase of the database.
	// +kubebuilder:validation:Enum=Pending;Running;Failed
	// +optional
	Phase string `json:"phase,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="data.peers.example.com/v1beta1 Database is going away; use v1"
// +kubebuilder:printcolumn:name="Engine",type=string,JSONPath=`.spec.engine`

// Database is the Schema for the databases API.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the database.
	Spec DatabaseSpec `json:"spec"`

	// Status of the database.
	// +optional
	Status DatabaseStatus `json:"status,omitempty"`
}
