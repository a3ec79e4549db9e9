// Package webhooks says by markers what webhooks.test.ts says by defineWebhook.
package webhooks

// +kubebuilder:webhook:path=/mutate-cache-example-com-v1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds;memcacheds/status,verbs=create;update,versions=v1,name=mmemcached-v1.cache.example.com,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
// +kubebuilder:webhook:path=/validate-cache-example-com-v1-memcached,mutating=false,failurePolicy=ignore,sideEffects=NoneOnDryRun,timeoutSeconds=5,matchPolicy=Exact,groups=cache.example.com,resources=memcacheds;memcacheds/status,verbs=create;update;delete,versions=v1,name=vmemcached-v1.cache.example.com,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create,versions=v1,name=vpod-v1.example.com,admissionReviewVersions=v1
