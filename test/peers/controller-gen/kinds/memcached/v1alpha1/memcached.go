// Package v1alpha1 holds Memcached.
// +kubebuilder:object:generate=true
// +groupName=cache.peers.example.com
// +versionName=v1alpha1
package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Endpoint is where clients connect.
type Endpoint struct {
	// Port that is listened on.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`

	// Protocol of the endpoint.
	// +kubebuilder:validation:Enum=TCP;UDP
	// +kubebuilder:default=TCP
	Protocol string `json:"protocol,omitempty"`

	// Name of the endpoint.
	// +optional
	Name string `json:"name,omitempty"`
}

// MemcachedSpec defines the desired state of Memcached.
type MemcachedSpec struct {
	// Size is the number of pods.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=5
	// +kubebuilder:validation:ExclusiveMaximum=false
	// +kubebuilder:default=1
	// +optional
	Size *int32 `json:"size,omitempty"`

	// Image to run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
	Image string `json:"image"`

	// Endpoints by port and protocol.
	// +listType=map
	// +listMapKey=port
	// +listMapKey=protocol
	// +optional
	Endpoints []Endpoint `json:"endpoints,omitempty"`

	// Zones to run in.
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^[a-z0-9-]+$`
	// +optional
	Zones []string `json:"zones,omitempty"`

	// Args are passed in this order.
	// +listType=atomic
	// +optional
	Args []string `json:"args,omitempty"`

	// MaxUnavailable while updating.
	// +kubebuilder:default="25%"
	// +optional
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`

	// Memory of each pod.
	// +kubebuilder:default="64Mi"
	// +optional
	Memory *resource.Quantity `json:"memory,omitempty"`

	// Resources of the container.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// MemcachedStatus defines the observed state of Memcached.
type MemcachedStatus struct {
	// Replicas that exist.
	Replicas int32 `json:"replicas"`

	// Selector of the pods.
	// +optional
	Selector string `json:"selector,omitempty"`

	// Conditions represent the current state of the Memcached resource.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:shortName=mc;memc,categories=all;caches
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`

// Memcached is the Schema for the memcacheds API.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// Spec defines the desired state of Memcached.
	Spec MemcachedSpec `json:"spec"`

	// Status defines the observed state of Memcached.
	// +optional
	Status MemcachedStatus `json:"status,omitempty,omitzero"`
}
