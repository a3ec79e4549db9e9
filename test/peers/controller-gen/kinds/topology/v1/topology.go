// Package v1 holds Topology: lists and maps in each other.
// +kubebuilder:object:generate=true
// +groupName=net.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Link between two sites.
// +structType=atomic
type Link struct {
	// To is the other site.
	To string `json:"to"`

	// Cost of the link.
	// +kubebuilder:validation:Minimum=0
	// +optional
	Cost int32 `json:"cost,omitempty"`
}

// Site is a place.
type Site struct {
	// Name of the site.
	Name string `json:"name"`

	// Links to other sites, each one once.
	// +listType=set
	// +optional
	Links []Link `json:"links,omitempty"`

	// Attributes of the site.
	// +mapType=atomic
	// +optional
	Attributes map[string]string `json:"attributes,omitempty"`
}

// Tag of a site.
// +kubebuilder:validation:MaxLength=20
type Tag string

// TopologySpec defines the desired state of Topology.
type TopologySpec struct {
	// Sites by name.
	// +listType=map
	// +listMapKey=name
	// +optional
	Sites []Site `json:"sites,omitempty"`

	// Groups of sites.
	// +mapType=granular
	// +optional
	Groups map[string][]string `json:"groups,omitempty"`

	// Matrix of costs.
	// +listType=atomic
	// +kubebuilder:validation:items:MinItems=2
	// +optional
	Matrix [][]int32 `json:"matrix,omitempty"`

	// Limits by site and by tenant.
	// +optional
	Limits map[string]map[string]int64 `json:"limits,omitempty"`

	// Default link.
	// +structType=granular
	// +optional
	Default *Link `json:"default,omitempty"`

	// Tags that can be used.
	// +listType=set
	// +optional
	Tags []Tag `json:"tags,omitempty"`

	// Owners of the topology.
	// +optional
	Owners []string `json:"owners,omitempty"`

	// Pairs of sites.
	// +listType=atomic
	// +optional
	Pairs []map[string]Link `json:"pairs,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=topologies

// Topology is the Schema for the topologies API.
type Topology struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the topology.
	Spec TopologySpec `json:"spec"`
}
