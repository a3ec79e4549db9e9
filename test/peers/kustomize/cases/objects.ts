/** A Deployment with two containers, as people write them. */
export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      serviceAccountName: runner
      initContainers:
      - name: init
        image: registry.example.com/tools/init:v1
      containers:
      - name: manager
        image: controller:latest
        args: [--leader-elect, --v=2]
        env:
        - name: A
          value: a
        - name: B
          valueFrom:
            configMapKeyRef: {name: settings, key: b}
        ports:
        - containerPort: 8080
          name: http
        - containerPort: 9090
          name: dns
          protocol: UDP
        volumeMounts:
        - mountPath: /data
          name: data
        resources:
          limits: {cpu: 500m, memory: 64Mi}
      - name: sidecar
        image: nginx
      volumes:
      - name: data
        emptyDir: {}
      - name: settings
        configMap: {name: settings}
      tolerations:
      - key: a
        operator: Exists
`;

export const service = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
  - port: 80
    name: http
    targetPort: 8080
  - port: 53
    name: dns
    protocol: UDP
    targetPort: 53
`;

export const settings = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  a: "1"
  b: "2"
  host: db.prod.example.com:5432
`;

export const account = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: runner
`;

/** A kind that kustomize has no schema of. */
export const custom = `apiVersion: cache.example.com/v1
kind: Memcached
metadata:
  name: sample
spec:
  size: 3
  verbose: true
  ratio: 0.5
  items:
  - name: one
    value: 1
  - name: two
    value: 2
  template:
    containers:
    - name: a
      image: busybox
`;
