// Package v2 holds the version of CronJob that is stored.
// +kubebuilder:object:generate=true
// +groupName=batch.peers.example.com
// +versionName=v2
package v2

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CronField is a field of a Cron schedule.
// +kubebuilder:validation:Pattern=`^[0-9*/,-]+$`
type CronField string

// CronSchedule is a schedule in parts; a part that is missing stands for every value.
// +kubebuilder:validation:MinProperties=1
type CronSchedule struct {
	// Minute of the hour.
	// +optional
	Minute *CronField `json:"minute,omitempty"`

	// Hour of the day.
	// +optional
	Hour *CronField `json:"hour,omitempty"`

	// +optional
	DayOfMonth *CronField `json:"dayOfMonth,omitempty"`
}

// CronJobSpec defines the desired state of CronJob.
type CronJobSpec struct {
	// Schedule in parts.
	Schedule CronSchedule `json:"schedule"`

	// Template of the pod that is run.
	Template corev1.PodTemplateSpec `json:"template"`

	// VolumeClaims are made before the first run.
	// +optional
	// +listType=atomic
	VolumeClaims []corev1.PersistentVolumeClaimSpec `json:"volumeClaims,omitempty"`

	// NodeAffinity chooses the nodes.
	// +optional
	NodeAffinity *corev1.NodeAffinity `json:"nodeAffinity,omitempty"`
}

// CronJobStatus defines the observed state of CronJob.
type CronJobStatus struct {
	// LastScheduleTime is when the job was last successfully scheduled.
	// +optional
	LastScheduleTime *metav1.MicroTime `json:"lastScheduleTime,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Last",type=date,JSONPath=`.status.lastScheduleTime`

// CronJob is the Schema for the cronjobs API.
type CronJob struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec defines the desired state of CronJob.
	Spec CronJobSpec `json:"spec"`

	// Status defines the observed state of CronJob.
	// +optional
	Status CronJobStatus `json:"status,omitempty"`
}
