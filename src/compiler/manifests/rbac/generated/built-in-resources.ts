// Made by test/unit/compiler/manifests/built-in-resources.test.ts from src/sdk/k8s/generated. Do not edit.
/** The resources of Kubernetes' API groups: whether their objects are in namespaces. */
export const builtInResources: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  "": {
    "bindings": true,
    "componentstatuses": false,
    "configmaps": true,
    "endpoints": true,
    "events": true,
    "limitranges": true,
    "namespaces": false,
    "nodes": false,
    "persistentvolumeclaims": true,
    "persistentvolumes": false,
    "pods": true,
    "podtemplates": true,
    "replicationcontrollers": true,
    "resourcequotas": true,
    "secrets": true,
    "serviceaccounts": true,
    "services": true
  },
  "admissionregistration.k8s.io": {
    "mutatingadmissionpolicies": false,
    "mutatingadmissionpolicybindings": false,
    "mutatingwebhookconfigurations": false,
    "validatingadmissionpolicies": false,
    "validatingadmissionpolicybindings": false,
    "validatingwebhookconfigurations": false
  },
  "apiextensions.k8s.io": {
    "customresourcedefinitions": false
  },
  "apiregistration.k8s.io": {
    "apiservices": false
  },
  "apps": {
    "controllerrevisions": true,
    "daemonsets": true,
    "deployments": true,
    "replicasets": true,
    "statefulsets": true
  },
  "authentication.k8s.io": {
    "selfsubjectreviews": false,
    "tokenreviews": false
  },
  "authorization.k8s.io": {
    "localsubjectaccessreviews": true,
    "selfsubjectaccessreviews": false,
    "selfsubjectrulesreviews": false,
    "subjectaccessreviews": false
  },
  "autoscaling": {
    "horizontalpodautoscalers": true
  },
  "batch": {
    "cronjobs": true,
    "jobs": true
  },
  "certificates.k8s.io": {
    "certificatesigningrequests": false,
    "clustertrustbundles": false,
    "podcertificaterequests": true
  },
  "coordination.k8s.io": {
    "leases": true
  },
  "discovery.k8s.io": {
    "endpointslices": true
  },
  "events.k8s.io": {
    "events": true
  },
  "flowcontrol.apiserver.k8s.io": {
    "flowschemas": false,
    "prioritylevelconfigurations": false
  },
  "networking.k8s.io": {
    "ingressclasses": false,
    "ingresses": true,
    "ipaddresses": false,
    "networkpolicies": true,
    "servicecidrs": false
  },
  "node.k8s.io": {
    "runtimeclasses": false
  },
  "policy": {
    "poddisruptionbudgets": true
  },
  "rbac.authorization.k8s.io": {
    "clusterrolebindings": false,
    "clusterroles": false,
    "rolebindings": true,
    "roles": true
  },
  "resource.k8s.io": {
    "deviceclasses": false,
    "devicetaintrules": false,
    "resourceclaims": true,
    "resourceclaimtemplates": true,
    "resourceslices": false
  },
  "scheduling.k8s.io": {
    "priorityclasses": false
  },
  "storage.k8s.io": {
    "csidrivers": false,
    "csinodes": false,
    "csistoragecapacities": true,
    "storageclasses": false,
    "volumeattachments": false,
    "volumeattributesclasses": false
  },
  "storagemigration.k8s.io": {
    "storageversionmigrations": false
  }
};
