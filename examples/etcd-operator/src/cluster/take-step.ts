import { isNotFound, isTooManyRequests, ownedBy, type ReconcileContext } from 'opsdk';
import { PersistentVolumeClaim, Pod } from 'opsdk/k8s/core/v1';
import { EtcdRefusalError } from '../etcd/etcd-api.ts';
import type { ClusterTLS } from '../tls/cluster-tls.ts';
import { desiredClaim, desiredPod, imageOf } from './member-pod.ts';
import { claimNameOf, votingLabel } from './names.ts';
import type { Observation } from './observe.ts';
import { etcdContainer, wantedSize, wantedVersion } from './observed.ts';
import { startRecovery } from './recovery.ts';
import { joiningMember } from './start-member.ts';
import type { MemberToStart, Step } from './step.ts';

/**
 * Takes a step.
 *
 * @returns the reason for which it could not be taken now; undefined if it was taken
 */
export async function takeStep(
  step: Step,
  observation: Observation,
  tls: ClusterTLS | undefined,
  context: ReconcileContext,
): Promise<string | undefined> {
  try {
    await new StepTaker(observation, tls, context).take(step);
    return undefined;
  } catch (error) {
    // The budget has no eviction left: a node is being drained.
    const isPassing = (error instanceof EtcdRefusalError && error.isTemporary) || isTooManyRequests(error);
    if (!isPassing || !(error instanceof Error)) throw error;
    context.log.info({ step: step.reason, refusal: error.message }, 'Step is not possible yet');
    return error.message;
  }
}

class StepTaker {
  readonly #observation: Observation;
  readonly #tls: ClusterTLS | undefined;
  readonly #context: ReconcileContext;

  constructor(observation: Observation, tls: ClusterTLS | undefined, context: ReconcileContext) {
    this.#observation = observation;
    this.#tls = tls;
    this.#context = context;
  }

  async take(step: Step): Promise<void> {
    const { events, client, key } = this.#context;
    const { members, observed } = this.#observation;
    const { cluster } = observed;
    switch (step.type) {
      case 'Wait':
        return;
      case 'Adopt':
        return this.#adopt(step.members);
      case 'Delete':
        for (const name of step.members) await this.#delete(name, step.withData);
        break;
      case 'Start':
        return this.#start(step.member);
      case 'Add': {
        const { newMember } = observed;
        await members.add(observed.urlOf(newMember));
        // If the operator ends here, the next one finds the member by its URL.
        return this.#start(joiningMember(observed, newMember));
      }
      case 'Promote':
        return members.promote(step.member);
      case 'Remove':
        await members.remove(step.member);
        if (step.instance !== undefined) await this.#delete(step.instance, true);
        break;
      case 'Publish':
        for (const name of step.members)
          await client.mergePatch(
            Pod,
            { ...key, name },
            { metadata: { labels: { [votingLabel.key]: votingLabel.value } } },
          );
        return;
      case 'Upgrade': {
        const image = imageOf(cluster, wantedVersion(cluster));
        const { pod } = observed.instances.find(({ name }) => name === step.member) ?? {};
        const containers = pod?.spec?.containers ?? [];
        const path = `/spec/containers/${containers.findIndex(({ name }) => name === etcdContainer)}`;
        await client.patch(
          Pod,
          { ...key, name: step.member },
          {
            type: 'json',
            body: [
              { op: 'test', path: `${path}/name`, value: etcdContainer },
              { op: 'replace', path: `${path}/image`, value: image },
            ],
          },
        );
        break;
      }
      case 'Restart':
        // The budget of one or two members allows no eviction, and no restart is without a moment of silence.
        if (wantedSize(cluster) <= 2) await this.#delete(step.member, false);
        else await client.live.evict({ ...key, name: step.member });
        break;
      case 'Recover':
        return startRecovery(cluster, this.#context);
    }
    events.normal(step.reason, noteOf(step));
  }

  async #start(member: MemberToStart): Promise<void> {
    const { client } = this.#context;
    const { observed } = this.#observation;
    const { cluster, hash } = observed;
    const claim = desiredClaim(cluster, member);
    if (claim !== undefined) await client.apply(PersistentVolumeClaim, claim);
    const options = { hash, tls: this.#tls?.members, peerURL: observed.urlOf(member.name) };
    await client.create(Pod, desiredPod(cluster, member, options));
  }

  async #delete(name: string, withData: boolean): Promise<void> {
    const { client, key } = this.#context;
    const ignoreNotFound = true;
    await client.delete(Pod, { ...key, name }, { ignoreNotFound });
    if (withData)
      await client.delete(PersistentVolumeClaim, { ...key, name: claimNameOf(name) }, { ignoreNotFound });
  }

  async #adopt(members: readonly string[]): Promise<void> {
    const { client, key, events } = this.#context;
    const { cluster } = this.#observation.observed;
    const { ownerReferences } = ownedBy(cluster);
    for (const name of members) {
      const change = { metadata: { ownerReferences: [...(ownerReferences ?? [])] } };
      await client.mergePatch(Pod, { ...key, name }, change).catch(ifFound);
      await client
        .mergePatch(PersistentVolumeClaim, { ...key, name: claimNameOf(name) }, change)
        .catch(ifFound);
    }
    events.normal('AdoptingMembers', members.join());
  }
}

function ifFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function noteOf(step: Step): string {
  if ('members' in step) return step.members.join(', ');
  if (step.type === 'Remove') return step.instance ?? (step.member.name || step.member.peerURLs.join());
  return 'member' in step && typeof step.member === 'string' ? step.member : '';
}
