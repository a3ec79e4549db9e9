// A configuration that follows labels, shards, and a Secret that nobody deletes for long.
const secret = 'prometheus-prometheus-sample';

export const prometheusOperator = {
  shows: 'a configuration that follows the labels of others, shards, a Secret that comes back',
  async tell(story) {
    const untilConfigured = (isThere) =>
      story.until(`a configuration ${isThere ? 'with' : 'without'} the ServiceMonitor`, async () => {
        const { data = {} } = (await story.object('secret', secret)) ?? {};
        const config = Buffer.from(data['prometheus.yaml'] ?? '', 'base64').toString();
        return config.includes('podMonitor/') && config.includes('serviceMonitor/') === isThere;
      });
    story.say('Pods only pretend to run here; their configuration is that of a real Prometheus.');
    await story.kubectl('get prometheuses', { until: /^prometheus-sample .* True /m });
    await untilConfigured(true);
    await story.kubectl('get statefulsets', { until: /^prometheus-prometheus-sample +2\/2 /m });

    story.say('A ServiceMonitor that loses its label is selected no more.');
    await story.kubectl('label servicemonitor servicemonitor-sample app-');
    await untilConfigured(false);
    await story.kubectl('label servicemonitor servicemonitor-sample app=web');
    await untilConfigured(true);

    await story.kubectl(`patch prometheus prometheus-sample --type=merge --patch '{"spec":{"shards":2}}'`);
    await story.kubectl('get statefulsets', { until: /^prometheus-prometheus-sample-shard-1 +2\/2 /m });

    story.say('A deleted Secret comes back.');
    await story.kubectl(`delete secret ${secret}`);
    await untilConfigured(true);
  },
};
