// Package v1 holds Timer: durations, times, bytes and numbers, without spec and status.
// +kubebuilder:object:generate=true
// +groupName=time.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true

// Timer is the Schema for the timers API.
type Timer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Every says how often.
	// +kubebuilder:validation:Format=duration
	// +kubebuilder:default="10m"
	// +optional
	Every metav1.Duration `json:"every,omitempty"`

	// Grace is a duration whose text is not checked.
	// +optional
	Grace *metav1.Duration `json:"grace,omitempty"`

	// Start of the timer.
	Start metav1.Time `json:"start"`

	// Fired holds the times at which the timer fired.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	// +optional
	Fired []metav1.MicroTime `json:"fired,omitempty"`

	// Payload that is sent.
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	Payload []byte `json:"payload,omitempty"`

	// Jitter in percent.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:validation:ExclusiveMaximum=true
	// +kubebuilder:validation:MultipleOf=5
	// +optional
	Jitter int64 `json:"jitter,omitempty"`

	// Address that is called.
	// +kubebuilder:validation:Format=ipv4
	// +optional
	Address string `json:"address,omitempty"`

	// Count of calls, of no size in particular.
	// +kubebuilder:validation:Maximum=9007199254740991
	// +optional
	Count int `json:"count,omitempty"`

	// Code says `what` is *sent*: "quoted", {braced} & <tagged>.
	//
	//   - a list
	//   - of two
	//
	// @ signs are kept: me@example.com
	// +kubebuilder:validation:Pattern=`^[a-z]+([-.][a-z0-9]+)*\d?$`
	// +kubebuilder:validation:MinLength=2
	// +optional
	Code string `json:"code,omitempty"`
}
