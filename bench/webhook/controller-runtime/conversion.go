package main

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"opsdk.dev/bench/webhook/controller-runtime/v1alpha1"
	"opsdk.dev/bench/webhook/controller-runtime/v1beta1"
)

// siteConverter does what ../src/site-conversion.ts does.
func siteConverter() func(*runtime.Scheme) (conversion.Converter, error) {
	return conversion.NewHubSpokeConverter(&v1beta1.Site{},
		conversion.NewSpokeConverter(&v1alpha1.Site{}, fromHub, toHub))
}

func toHub(_ context.Context, spoke *v1alpha1.Site, hub *v1beta1.Site) error {
	hub.ObjectMeta = spoke.ObjectMeta
	repository, tag, _ := strings.Cut(spoke.Spec.Image, ":")
	hub.Spec = v1beta1.SiteSpec{
		Image:    v1beta1.Image{Repository: repository, Tag: tag},
		Replicas: spoke.Spec.Replicas,
		LogLevel: spoke.Spec.LogLevel,
	}
	for _, env := range spoke.Spec.Env {
		hub.Spec.Env = append(hub.Spec.Env, v1beta1.EnvVar(env))
	}
	for _, route := range spoke.Spec.Routes {
		hub.Spec.Routes = append(hub.Spec.Routes, v1beta1.Route(route))
	}
	hub.Status = v1beta1.SiteStatus(spoke.Status)
	return nil
}

func fromHub(_ context.Context, hub *v1beta1.Site, spoke *v1alpha1.Site) error {
	spoke.ObjectMeta = hub.ObjectMeta
	spoke.Spec = v1alpha1.SiteSpec{
		Image:    hub.Spec.Image.Repository + ":" + hub.Spec.Image.Tag,
		Replicas: hub.Spec.Replicas,
		LogLevel: hub.Spec.LogLevel,
	}
	for _, env := range hub.Spec.Env {
		spoke.Spec.Env = append(spoke.Spec.Env, v1alpha1.EnvVar(env))
	}
	for _, route := range hub.Spec.Routes {
		spoke.Spec.Routes = append(spoke.Spec.Routes, v1alpha1.Route(route))
	}
	spoke.Status = v1alpha1.SiteStatus(hub.Status)
	return nil
}
