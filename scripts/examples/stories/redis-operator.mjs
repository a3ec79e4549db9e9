// Shards with keys, a change that replaces every Pod after a failover, and a shard that is added.
const name = 'distributedrediscluster-sample';
const keyCount = 60;

export const redisOperator = {
  shows: 'three shards, keys, failovers for a new configuration, a fourth shard',
  programs: ['redis'],
  async tell(story) {
    const untilHealthy = (masters) =>
      story.until(`${masters} masters with a replica each`, async () => {
        const { metadata = {}, status = {} } = (await story.object('drc', name)) ?? {};
        const ready = status.conditions?.find(({ type }) => type === 'Ready');
        const isSeen = ready?.status === 'True' && ready.observedGeneration === metadata.generation;
        const hasAll =
          status.phase === 'Healthy' && status.masters === masters && status.replicas === masters;
        return (isSeen && hasAll) || status;
      });
    await untilHealthy(3);
    await story.kubectl('get drc');
    const [host, port] = await story.addressOf(name);
    const redis = `redis-cli -c -h ${host} -p ${port}`;
    const keys = `for i in $(seq ${keyCount})`;
    await expectOutput(
      story,
      `${keys}; do ${redis} set key-$i value-$i; done | sort | uniq -c`,
      /^\s*60 OK$/,
    );
    await expectOutput(story, `${redis} cluster info | grep cluster_state`, /^cluster_state:ok/);
    const countKeys = () =>
      expectOutput(
        story,
        `${keys}; do ${redis} get key-$i; done | grep -c value`,
        new RegExp(`^${keyCount}$`),
      );

    story.say(
      'Another setting: Pods are replaced one at a time, masters last, after their replicas took over.',
    );
    const before = await mastersOf(story, redis);
    const patch = JSON.stringify({ spec: { config: { 'maxmemory-policy': 'allkeys-lru' } } });
    await story.kubectl(`patch drc ${name} --type=merge --patch '${patch}'`);
    await untilHealthy(3);
    await expectOutput(story, `${redis} config get maxmemory-policy`, /allkeys-lru/);
    const after = await mastersOf(story, redis);
    if (after.some((address) => before.includes(address)))
      throw new Error(`expected other masters than ${before.join(', ')}, got ${after.join(', ')}`);
    await countKeys();

    await story.kubectl(`patch drc ${name} --type=merge --patch '{"spec":{"masterSize":4}}'`);
    await untilHealthy(4);
    await story.kubectl('get drc,statefulsets');
    const roles = `${redis} cluster nodes | cut -d ' ' -f 3 | sed s/myself,// | sort | uniq -c`;
    await expectOutput(story, roles, /^\s*4 master\n\s*4 slave$/);
    await countKeys();
    const { status } = await story.object('drc', name);
    return status.nodes.map(({ ip }) => `${ip}:6379`);
  },
};

/** The addresses of the masters, which the terminal shows. */
async function mastersOf(story, redis) {
  const text = await story.shell(`${redis} cluster nodes | grep master | cut -d ' ' -f 2,9 | sort -k 2 -n`);
  return text.split('\n').map((line) => line.split(':')[0]);
}

async function expectOutput(story, line, pattern) {
  const text = await story.shell(line);
  if (!pattern.test(text)) throw new Error(`${line}: expected ${pattern}, got ${text}`);
}
