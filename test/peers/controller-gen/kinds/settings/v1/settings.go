// Package v1 holds Settings: enumerations, defaults and examples of every type.
// +kubebuilder:object:generate=true
// +groupName=config.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Level of the log.
// +kubebuilder:validation:Enum=debug;info;error
// +kubebuilder:default=info
type Level string

// Size of a page.
// +kubebuilder:validation:Enum=10;20;50
type PageSize int32

// Proxy settings.
type Proxy struct {
	// Host of the proxy.
	Host string `json:"host"`

	// Port of the proxy.
	// +kubebuilder:default=3128
	// +optional
	Port int32 `json:"port,omitempty"`
}

// Cache settings.
type Cache struct {
	// Seconds that an entry lives.
	// +kubebuilder:default=60
	// +optional
	Seconds int64 `json:"seconds,omitempty"`
}

// SettingsSpec defines the desired state of Settings.
type SettingsSpec struct {
	// Level of the log.
	// +optional
	Level Level `json:"level,omitempty"`

	// PageSize of lists.
	// +kubebuilder:default=20
	// +optional
	PageSize PageSize `json:"pageSize,omitempty"`

	// Title that is shown.
	// +kubebuilder:default="12"
	// +kubebuilder:example="Fleet"
	// +kubebuilder:title="The title"
	// +kubebuilder:validation:MaxLength=40
	// +optional
	Title string `json:"title,omitempty"`

	// Empty is a default too.
	// +kubebuilder:default=""
	// +optional
	Empty *string `json:"empty,omitempty"`

	// Verbose is off.
	// +kubebuilder:default=false
	// +optional
	Verbose bool `json:"verbose,omitempty"`

	// Ratio of sampled requests.
	// +kubebuilder:default=0.5
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1
	// +optional
	Ratio float64 `json:"ratio,omitempty"`

	// Step of the ratio.
	// +kubebuilder:validation:MultipleOf=0.25
	// +optional
	Step float32 `json:"step,omitempty"`

	// Hosts that are served.
	// +kubebuilder:default={"localhost","example.com"}
	// +listType=set
	// +optional
	Hosts []string `json:"hosts,omitempty"`

	// Labels that are added.
	// +kubebuilder:default={app: "settings"}
	// +optional
	Labels map[string]string `json:"labels,omitempty"`

	// Proxy that is used.
	// +kubebuilder:default={host: "proxy.example.com"}
	// +optional
	Proxy *Proxy `json:"proxy,omitempty"`

	// Cache has defaults of its own.
	// +kubebuilder:default={}
	// +optional
	Cache Cache `json:"cache,omitempty"`

	// Nickname can be taken away.
	// +nullable
	// +optional
	Nickname *string `json:"nickname,omitempty"`

	// Limits can be null.
	// +nullable
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=4
	Limits map[string]int32 `json:"limits"`

	// Manual of the setting.
	// +kubebuilder:externalDocs:url="https://example.com/manual",description="The manual"
	// +optional
	Manual string `json:"manual,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=settings,singular=setting

// Settings is the Schema for the settings API.
type Settings struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the settings.
	// +optional
	Spec SettingsSpec `json:"spec,omitempty"`
}
