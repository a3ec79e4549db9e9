// Package v1 holds Backup: unions.
// +kubebuilder:object:generate=true
// +groupName=storage.peers.example.com
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bucket of an object store.
type Bucket struct {
	// Name of the bucket.
	Name string `json:"name"`

	// Region of the bucket.
	// +optional
	Region string `json:"region,omitempty"`
}

// Claim of a volume.
type Claim struct {
	// ClaimName in the namespace of the backup.
	ClaimName string `json:"claimName"`
}

// Target says where backups go.
// +kubebuilder:validation:ExactlyOneOf=s3;gcs;claim
type Target struct {
	// +optional
	S3 *Bucket `json:"s3,omitempty"`

	// +optional
	GCS *Bucket `json:"gcs,omitempty"`

	// +optional
	Claim *Claim `json:"claim,omitempty"`

	// Prefix of all files.
	// +optional
	Prefix string `json:"prefix,omitempty"`
}

// Filter says what is saved.
// +kubebuilder:validation:AtMostOneOf=include;exclude
type Filter struct {
	// Include these paths only.
	// +optional
	Include *string `json:"include,omitempty"`

	// Exclude these paths.
	// +optional
	Exclude *string `json:"exclude,omitempty"`
}

// Notify says who is told.
// +kubebuilder:validation:AtLeastOneOf=mail;hook
type Notify struct {
	// Mail address.
	// +optional
	// +kubebuilder:validation:Format=email
	Mail *string `json:"mail,omitempty"`

	// Hook that is called.
	// +optional
	// +kubebuilder:validation:Format=uri
	Hook *string `json:"hook,omitempty"`
}

// BackupSpec defines the desired state of Backup.
type BackupSpec struct {
	// Target says where backups go.
	Target Target `json:"target"`

	// Filter says what is saved.
	// +optional
	Filter *Filter `json:"filter,omitempty"`

	// Notify says who is told.
	// +optional
	Notify *Notify `json:"notify,omitempty"`

	// Mirrors get the same files.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=3
	Mirrors []Target `json:"mirrors,omitempty"`
}

// +kubebuilder:object:root=true

// Backup is the Schema for the backups API.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec of the backup.
	// +optional
	Spec BackupSpec `json:"spec,omitempty"`
}
