// Operators of workloads whose Pods only pretend to run.
const memcached = 'memcached-sample';

export const memcachedOperator = {
  shows: 'two Pods, three Pods, a deletion that lets them end first',
  async tell(story) {
    await story.kubectl('get memcacheds', { until: /^memcached-sample +2 +2$/m });
    await story.kubectl('get deployments,pods', { until: / 2\/2 +2 +2 [^]*Running[^]*Running/ });
    await story.kubectl(`patch memcached ${memcached} --type=merge --patch '{"spec":{"size":3}}'`);
    await story.kubectl('get memcacheds', { until: /^memcached-sample +3 +3$/m });

    story.say('The finalizer lets the Pods end before the Memcached goes.');
    await story.kubectl(`delete memcached ${memcached}`);
    await story.kubectl('get memcacheds,deployments,pods', { until: /^No resources found/ });
  },
};

const nginx = 'nginxoperator-sample';

export const nginxOperator = {
  shows: 'a Deployment from a manifest, replicas, and a field that somebody else changes',
  async tell(story) {
    await story.kubectl('get nginxoperators', { until: /^nginxoperator-sample /m });
    await story.kubectl(`get deployment ${nginx}`, { until: /^nginxoperator-sample +1\/1 +1 +1 /m });
    const patch = '{"spec":{"replicas":3,"port":8081}}';
    await story.kubectl(`patch nginxoperator ${nginx} --type=merge --patch '${patch}'`);
    await story.kubectl(`get deployment ${nginx}`, { until: /^nginxoperator-sample +3\/3 +3 +3 /m });

    story.say('The operator puts right what somebody changes in its Deployment.');
    await story.kubectl(`patch deployment ${nginx} --type=merge --patch '{"spec":{"replicas":1}}'`);
    await story.kubectl(`get deployment ${nginx} -o jsonpath={.spec.replicas}`, { until: /^3$/ });
  },
};

export const twoVersions = {
  shows: 'an object that is read and written in both versions of its kind',
  devFlags: [],
  async tell(story) {
    const old = `
apiVersion: operator.example.com/v1alpha1
kind: NginxOperator
metadata:
  name: web
spec: { replicas: 2, port: 8080 }
`;
    // The conversion is served a moment after the operator has started.
    await story.printed(/"msg":"Serving webhooks"/);
    await story.kubectl('apply --server-side -f -', { stdin: old });
    await story.kubectl('get nginxoperators.v1alpha1.operator.example.com web -o jsonpath={.spec}', {
      until: /^\{"port":8080,"replicas":2\}$/,
    });
    await story.kubectl('get nginxoperators.v1alpha2.operator.example.com web -o jsonpath={.spec}', {
      until: /^\{"ports":\[\{"containerPort":8080,"protocol":"TCP"\}\],"replicas":2\}$/,
    });
    await story.kubectl('get deployment web', { until: /^web +2\/2 +2 +2 /m });

    story.say('What the older version cannot say survives an edit there.');
    const ports =
      '{"spec":{"ports":[{"containerPort":80,"name":"http"},{"containerPort":53,"protocol":"UDP"}]}}';
    await story.kubectl(`patch nginxoperator web --type=merge --patch '${ports}'`);
    const edit = '{"spec":{"port":8081}}';
    await story.kubectl(
      `patch nginxoperators.v1alpha1.operator.example.com web --type=merge --patch '${edit}'`,
    );
    await story.kubectl('get nginxoperators.v1alpha2.operator.example.com web -o jsonpath={.spec.ports}', {
      until: /"containerPort":8081,"name":"http".*"containerPort":53,"protocol":"UDP"/,
    });
  },
};

const enterprise = 'my-release';

export const redisEnterprise = {
  shows: 'phases of three nodes, and a fourth one',
  async tell(story) {
    await story.kubectl('get redisearchclusters', { until: /^my-release +Ready +3 /m });
    await story.kubectl('get pods', { until: /^my-release-2 +1\/1 /m });
    await story.kubectl(`patch redisearchcluster ${enterprise} --type=merge --patch '{"spec":{"nodes":4}}'`);
    await story.kubectl('get redisearchclusters', { until: /^my-release +Ready +4 /m });
    await story.kubectl('get statefulsets', { until: /^my-release +4\/4 /m });
  },
};
