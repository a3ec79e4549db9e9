// Package v1 holds ClusterPool: what belongs to the resource rather than to a field.
// +kubebuilder:object:generate=true
// +groupName=fleet.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClusterPoolSpec defines the desired state of ClusterPool.
type ClusterPoolSpec struct {
	// Owner of the pool.
	Owner string `json:"owner"`

	// Exclusive pools have one tenant.
	// +optional
	Exclusive bool `json:"exclusive,omitempty"`

	// Clusters in the pool.
	// +kubebuilder:validation:Minimum=0
	// +optional
	Clusters *int32 `json:"clusters,omitempty"`

	// Weight of the pool.
	// +optional
	Weight *float64 `json:"weight,omitempty"`
}

// ClusterPoolStatus defines the observed state of ClusterPool.
type ClusterPoolStatus struct {
	// Ready clusters.
	// +optional
	Ready int32 `json:"ready,omitempty"`

	// Since when the pool is ready.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.clusters,statuspath=.status.ready
// +kubebuilder:resource:path=pools,singular=pool,scope=Cluster,shortName=cp;pool,categories=fleet
// +kubebuilder:selectablefield:JSONPath=`.spec.owner`
// +kubebuilder:selectablefield:JSONPath=`.spec.exclusive`
// +kubebuilder:printcolumn:name="Clusters",type=integer,JSONPath=`.spec.clusters`
// +kubebuilder:printcolumn:name="Weight",type=number,format=double,JSONPath=`.spec.weight`
// +kubebuilder:printcolumn:name="Exclusive",type=boolean,JSONPath=`.spec.exclusive`
// +kubebuilder:printcolumn:name="Since",type=date,format=date-time,JSONPath=`.status.since`,priority=2
// +kubebuilder:metadata:labels={"team=fleet","app.kubernetes.io/part-of=peers"}
// +kubebuilder:metadata:annotations="peers.example.com/reason=compared by the tests"

// ClusterPool is the Schema for the pools API.
type ClusterPool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the pool.
	Spec ClusterPoolSpec `json:"spec"`

	// Status of the pool.
	// +optional
	Status ClusterPoolStatus `json:"status,omitempty"`
}
