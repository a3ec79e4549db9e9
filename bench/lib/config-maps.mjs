/** Creates ConfigMaps of about 1 kB as JSON, 32 at a time. */
export async function createConfigMaps(kubeconfig, namespace, count) {
  const { createManager } = await import('../../dist/index.js');
  const { ConfigMap } = await import('../../dist/sdk/k8s/generated/core/v1.js');
  const manager = await createManager({ name: 'bench', kubeconfig, health: '0', logLevel: 'fatal' });
  const data = { payload: 'x'.repeat(750) };
  let next = 0;
  const creator = async () => {
    for (let index = next++; index < count; index = next++) {
      const labels = { app: `app-${index % 100}` };
      await manager.client.create(ConfigMap, { metadata: { name: `map-${index}`, namespace, labels }, data });
    }
  };
  try {
    await Promise.all(Array.from({ length: 32 }, creator));
  } finally {
    await manager.close();
  }
}
