// Package v1 holds Rollout: templates of other objects, and fields beside spec and status.
// +kubebuilder:object:generate=true
// +groupName=apps.peers.example.com
// +versionName=v1
package v1

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClaimTemplate makes volume claims.
type ClaimTemplate struct {
	// Metadata of each claim.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of each claim.
	Spec corev1.PersistentVolumeClaimSpec `json:"spec"`
}

// RolloutSpec defines the desired state of Rollout.
type RolloutSpec struct {
	// Selector of the pods.
	Selector metav1.LabelSelector `json:"selector"`

	// Pod that is run.
	Pod corev1.PodTemplateSpec `json:"pod"`

	// Claims by name.
	// +optional
	Claims map[string]ClaimTemplate `json:"claims,omitempty"`

	// Strategy of the update.
	// +optional
	Strategy appsv1.RollingUpdateDeployment `json:"strategy,omitempty"`

	// Ports that are exposed.
	// +optional
	// +listType=map
	// +listMapKey=containerPort
	// +listMapKey=protocol
	Ports []corev1.ContainerPort `json:"ports,omitempty"`

	// Secret with the key.
	// +optional
	Secret *corev1.SecretKeySelector `json:"secret,omitempty"`

	// Env of all containers.
	// +optional
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Rollout is the Schema for the rollouts API.
type Rollout struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Paused stops everything.
	// +optional
	Paused bool `json:"paused,omitempty"`

	// Spec of the rollout.
	Spec RolloutSpec `json:"spec"`

	// Status is that of a Deployment.
	// +optional
	Status appsv1.DeploymentStatus `json:"status,omitempty"`
}
