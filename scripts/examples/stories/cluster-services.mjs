// Operators of what a cluster has once: rights, schedulers, copies of settings, jobs.
export const rbacManager = {
  shows: 'bindings by the labels of namespaces, and what an operator may grant',
  async tell(story) {
    await story.kubectl('create namespace shop');
    await story.kubectl('label namespace shop team=web');
    story.say('Nobody grants what they do not have.');
    await story.kubectl('get rbacdefinitions', { until: /^team-web +\S+ +False +GrantRefused /m });
    const account = 'rbac-manager-system:rbac-manager-controller-manager';
    await story.kubectl(
      `create clusterrolebinding rbac-manager-grants --clusterrole=view --serviceaccount=${account}`,
    );
    // It is tried again each minute, and when the definition changes.
    await story.kubectl('annotate rbacdefinition team-web granted=now');
    await story.kubectl('get rbacdefinitions', { until: /^team-web +1 +True /m });
    await story.kubectl('get rolebindings -n shop', { until: /ClusterRole\/view/ });

    story.say('A namespace that loses the label loses the binding.');
    await story.kubectl('label namespace shop team-');
    await story.kubectl('get rolebindings -n shop', { until: /^No resources found/ });
  },
};

const account = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: cluster-scheduler, namespace: cluster-scheduler }
`;

export const schedulerOperator = {
  shows: 'a second scheduler, another preset, fields that are left alone',
  async tell(story) {
    await story.kubectl('get kubeschedulers,schedulers', {
      until: /^kubescheduler\.[^]*^scheduler\.\S+ +HighNodeUtilization /m,
    });
    story.say('What the scheduler runs as is made by an administrator.');
    await story.kubectl('create namespace cluster-scheduler');
    await story.kubectl('apply --server-side -f -', { stdin: account });
    await story.kubectl('get kubeschedulers', {
      until: /^cluster +Managed +HighNodeUtilization +True /m,
    });
    const operand = 'cluster-scheduler';
    await story.kubectl(`get deployment ${operand} -n ${operand}`, {
      until: /^cluster-scheduler +2\/2 +2 +2 /m,
    });

    story.say('Another preset; what others have set in the Deployment stays.');
    await story.kubectl(`annotate deployment ${operand} -n ${operand} team=platform`);
    await story.kubectl(
      `patch scheduler cluster --type=merge --patch '{"spec":{"profile":"LowNodeUtilization"}}'`,
    );
    await story.kubectl('get kubeschedulers', {
      until: /^cluster +Managed +LowNodeUtilization +True /m,
    });
    await story.kubectl(`get deployment ${operand} -n ${operand} -o jsonpath={.metadata.annotations.team}`, {
      until: /^platform$/,
    });
  },
};

const source = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: ca
  namespace: platform
  labels: { namespace-sync.example.com/source: 'true' }
  annotations: { namespace-sync.example.com/namespaces: team in (web) }
data: { ca.crt: first }
`;

export const namespaceSync = {
  shows: 'a ConfigMap that is copied to the namespaces of a label',
  devFlags: [],
  async tell(story) {
    for (const name of ['platform', 'shop']) await story.kubectl(`create namespace ${name}`);
    await story.kubectl('label namespace shop team=web');
    await story.kubectl('apply --server-side -f -', { stdin: source });
    const data = "get configmap ca -n shop -o jsonpath='{.data}'";
    await story.kubectl(data, { until: /"first"/ });
    await story.kubectl(`patch configmap ca -n platform --patch '{"data":{"ca.crt":"second"}}'`);
    await story.kubectl(data, { until: /"second"/ });

    story.say('The copies go with their source.');
    await story.kubectl('delete configmap ca -n platform');
    await story.kubectl('get configmaps -n shop', { until: /^(?![^]*^ca )/m });
  },
};

export const flinkOperator = {
  shows: 'two versions of a kind, and the objects of both',
  async tell(story) {
    story.say('Pods only pretend to run: no JobManager answers, so that no cluster is ready.');
    await story.kubectl('get fc', { until: /^session .* False [^]*^wordcount .* False /m });
    await story.kubectl('get deployments', {
      until: /^session-taskmanager +2\/2 [^]*^wordcount-taskmanager +2\/2 /m,
    });
    story.say('Both versions of one object; the first one knows no jobs, and does not lose this one.');
    const older = 'flinkclusters.v1alpha1.flink.apache.org wordcount';
    await story.kubectl(`get ${older} -o jsonpath={.spec}`);
    await story.kubectl(`patch ${older} --type=merge --patch '{"spec":{"logLevel":"DEBUG"}}'`);
    await story.kubectl('get flinkclusters.v1beta1.flink.apache.org wordcount -o jsonpath={.spec}', {
      until: /"job":\{"jar":"wordcount.jar"\}.*"logLevel":"DEBUG"/,
    });
  },
};
