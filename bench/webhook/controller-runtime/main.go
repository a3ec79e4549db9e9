// An operator of controller-runtime that serves the webhooks of the benchmark, and reconciles the ConfigMaps of a namespace without doing anything.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"opsdk.dev/bench/webhook/controller-runtime/v1alpha1"
	"opsdk.dev/bench/webhook/controller-runtime/v1beta1"
)

func main() {
	kubeconfig := flag.String("cluster", "", "a kubeconfig file")
	certificates := flag.String("certificates", "", "the folder with tls.crt and tls.key")
	port := flag.Int("port", 9443, "of the webhooks")
	namespace := flag.String("namespace", "", "whose ConfigMaps are cached")
	objects := flag.Int64("objects", 0, "says \"reconciled all\" after so many reconciles")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stdout)))
	if err := run(*kubeconfig, *certificates, *port, *namespace, *objects); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, certificates string, port int, namespace string, objects int64) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, v1alpha1.AddToScheme, v1beta1.AddToScheme} {
		utilruntime.Must(add(scheme))
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Cache:                  cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:                metricsserver.Options{BindAddress: "127.0.0.1:0"},
		HealthProbeBindAddress: "0",
		WebhookServer:          webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certificates}),
	})
	if err != nil {
		return err
	}
	err = ctrl.NewWebhookManagedBy(manager, &v1beta1.Site{}).
		WithDefaulter(siteWebhook{}).
		WithValidator(siteWebhook{}).
		WithConverter(siteConverter()).
		Complete()
	if err != nil {
		return err
	}
	var reconciled atomic.Int64
	err = ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).
		Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			if reconciled.Add(1) == objects {
				fmt.Println("reconciled all")
			}
			return reconcile.Result{}, nil
		}))
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
