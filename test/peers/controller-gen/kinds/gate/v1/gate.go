// Package v1 holds Gate: rules in CEL wherever they can stand.
// +kubebuilder:object:generate=true
// +groupName=policy.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Window is a part of the day.
// +kubebuilder:validation:XValidation:rule="self.from < self.to",message="from must be before to",fieldPath=".to",reason=FieldValueInvalid
// +kubebuilder:validation:XValidation:rule="self.to - self.from <= 12",messageExpression="'a window of %d hours is too long'.format([self.to - self.from])"
type Window struct {
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=23
	From int32 `json:"from"`

	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=24
	To int32 `json:"to"`
}

// GateName is the name of a gate.
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:XValidation:rule="self.startsWith('gate-')",message="must start with gate-",reason=FieldValueForbidden
type GateName string

// GateSpec defines the desired state of Gate.
// +kubebuilder:validation:XValidation:rule="!has(self.next) || self.next != self.name",message="a gate cannot lead to itself",fieldPath=".next",reason=FieldValueDuplicate
type GateSpec struct {
	// Name of the gate.
	Name GateName `json:"name"`

	// Next gate.
	// +optional
	Next GateName `json:"next,omitempty"`

	// Serial can be set once.
	// +optional
	// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || oldSelf.value() == self",message="serial cannot change",optionalOldSelf=true
	Serial *int32 `json:"serial,omitempty"`

	// Windows in which the gate is open.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:XValidation:rule="self.all(w, w.from >= 6)",message="nothing opens before 6"
	Windows []Window `json:"windows,omitempty"`

	// Keys that open the gate.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=4
	// +kubebuilder:validation:items:MaxLength=16
	// +kubebuilder:validation:items:XValidation:rule="self != 'master'",message="no master keys",reason=FieldValueForbidden
	Keys []string `json:"keys,omitempty"`

	// Owner is needed by every gate.
	// +optional
	// +kubebuilder:validation:XValidation:rule="size(self) > 0",message="an owner is needed",reason=FieldValueRequired
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="field is immutable"
	Owner string `json:"owner,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="self.metadata.name == self.spec.name",message="the object is named like its gate"
// +kubebuilder:validation:XValidation:rule="has(oldSelf.spec.next) == has(self.spec.next)",messageExpression="'next of ' + self.spec.name + ' cannot come or go'",reason=FieldValueForbidden

// Gate is the Schema for the gates API.
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GateSpec `json:"spec"`
}
