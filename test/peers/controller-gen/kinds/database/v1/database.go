// Package v1 holds a version of Database.
// +kubebuilder:object:generate=true
// +groupName=data.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DatabaseSpec defines the desired state of Database.
type DatabaseSpec struct {
	// Engine of the database.
	// +kubebuilder:validation:Enum=postgres;mysql;sqlite
	Engine string `json:"engine"`

	// Major version of the engine.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +optional
	Major int32 `json:"major,omitempty"`
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
// +kubebuilder:storageversion
// +kubebuilder:selectablefield:JSONPath=`.spec.engine`
// +kubebuilder:selectablefield:JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Engine",type=string,JSONPath=`.spec.engine`,description="what runs",priority=1
// +kubebuilder:printcolumn:name="Major",type=integer,format=int32,JSONPath=`.spec.major`

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
