import type { KubeObject } from '../../sdk/api/index.ts';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { Secret } from '../../sdk/k8s/generated/core/v1.ts';
import {
  createRestMapper,
  type ApiDirectory,
  type KubeClient,
  ApiError,
  isNotFound,
} from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { locateObjects } from '../objects/resolve-objects.ts';
import { deploymentsOf } from '../doctor/check.ts';
import { applySetId, idLabel, partOfLabel, type ApplySetParent } from './apply-set.ts';
import { contentsOf, contentsWithout, unionOf, type ApplySetContents, asMembers } from './contents.ts';
import { runningFormerOperators, type FormerOperator } from './former-operators.ts';
import { leftoversOf, type Leftovers } from './leftovers.ts';
import { findMembers, type FoundMembers, type Member, othersMembers, type OthersMembers } from './members.ts';
import {
  contentsOfParent,
  narrowParent,
  parentRefusal,
  readParent,
  widenParent,
  type ParentOptions,
} from './parent-secret.ts';

export interface InventoryRequest extends ParentOptions {
  readonly client: KubeClient;
  readonly parent: ApplySetParent;
  readonly objects: readonly PlacedObject[];
  /** Namespace for namespaced objects without a namespace in the manifest. Default: the namespace of the kubeconfig's context. */
  readonly namespace?: string | undefined;
  /** True to make objects of other ApplySets members of this ApplySet. If false, such objects are reported as errors. */
  readonly takeOver?: boolean | undefined;
}

/** The inventory of an operator during a deploy. */
export interface Inventory {
  readonly parent: ApplySetParent;
  readonly id: string;
  /** The objects of the manifest, labelled as members of the ApplySet. */
  readonly objects: readonly PlacedObject[];
  /** Maps each kind whose members could not be listed to the reason. */
  readonly unread: ReadonlyMap<string, string>;
  /** Operators that are still running and from which objects are taken over. */
  readonly formerOperators: readonly FormerOperator[];
  /**
   * Callback for `applyObjects`. Before the first object is written, records the kinds and namespaces of all objects, so that the objects
   * can be found even after an interrupted deploy.
   */
  readonly beforeWrite: (object: ClusterObject) => Promise<void>;
  /** Returns the members that were on the cluster before the deploy and that the manifests no longer contain. */
  leftovers(applied: readonly { object: ClusterObject; live: KubeObject | undefined }[]): Leftovers;
  /** Records the actual members after all objects have been applied. @param gone members that were pruned. @throws OpSdkError */
  settle(gone: readonly Member[]): Promise<void>;
}

/**
 * Opens the inventory of an operator. Writes nothing. Members are listed before the deploy writes. Otherwise objects that another deploy
 * adds meanwhile would be mistaken for objects that have been removed from the manifests.
 *
 * @throws OpSdkError `cluster/inventory-forbidden` if the user may not read and write the inventory; `cluster/inventory-of-others`,
 * `cluster/other-applyset`, `cluster/part-of-given`, …
 */
export async function openInventory(request: InventoryRequest): Promise<Inventory> {
  const { client, parent, objects, signal } = request;
  const id = applySetId(parent);
  const mapper = createRestMapper(client.connection);
  const namespace = request.namespace ?? client.connection.cluster.namespace;
  const located = await locateObjects(objects, { mapper, namespace, purpose: 'apply', signal });
  const resolved = located.objects;
  const findings = new FindingList();
  findings.add(...givenFindings(resolved, parent, id));
  const others = await othersMembers(client, resolved, { id, signal });
  if (request.takeOver !== true) findings.add(...othersFindings(others));
  // The findings of `locateObjects` are added only to other findings. If they are the only ones, the apply reports them later, together
  // with more findings.
  if (findings.all.length > 0) findings.add(...located.findings);
  findings.throwIfAny();

  const wanted = contentsOf(resolved, parent.namespace);
  const secret = await openParent(request, wanted);
  const contents = unionOf(contentsOfParent(secret, parent), wanted);
  const directory = await mapper.directory({ signal });
  const found = await findMembers(client, contents, { id, parent, directory, signal });
  const formerOperators = await runningFormerOperators(client, others, { objects: resolved, signal });
  return new OpenInventory(request, { id, secret, wanted, contents, found, directory, formerOperators });
}

/**
 * Reports objects whose manifest sets labels of an ApplySet, or that have the name of the inventory's Secret. Like in kubectl, the labels
 * may be set only by tools.
 */
function givenFindings(
  objects: readonly ClusterObject[],
  parent: ApplySetParent,
  id: string,
): readonly Finding[] {
  return objects.flatMap(({ object, title, where, key, resource }): readonly Finding[] => {
    const label = [partOfLabel, idLabel].find(
      (each) => object.metadata.labels?.[each] !== undefined && object.metadata.labels[each] !== id,
    );
    const isParent =
      resource.kind === 'Secret' && key.name === parent.name && key.namespace === parent.namespace;
    if (label === undefined && !isParent) return [];
    return [
      {
        code: 'cluster/part-of-given',
        message: isParent
          ? `${title} has the name of the Secret in which op-sdk keeps the inventory`
          : `${title}: the manifest sets the label ${label ?? ''}, which is reserved for tools that prune`,
        where,
        fix: [isParent ? 'give it another name' : 'remove the label from the manifest'],
      },
    ];
  });
}

/**
 * Reads the Secret of the inventory, and checks by a dry run that the user may write it. @throws OpSdkError `cluster/inventory-forbidden`
 */
async function openParent(
  { client, parent, ...options }: InventoryRequest,
  wanted: ApplySetContents,
): Promise<Secret | undefined> {
  try {
    const secret = await readParent(client, parent, options);
    try {
      await widenParent(client, parent, secret, wanted, { ...options, dryRun: true });
    } catch (error) {
      // A missing namespace is ignored, because the manifest may create it. If it does not, the deploy will be refused later.
      if (!lacksNamespace(error)) throw error;
    }
    return secret;
  } catch (error) {
    throw new OpSdkError(parentRefusal(error, parent), { cause: error });
  }
}

interface Opened {
  readonly id: string;
  readonly secret: Secret | undefined;
  readonly wanted: ApplySetContents;
  readonly contents: ApplySetContents;
  readonly found: FoundMembers;
  readonly directory: ApiDirectory;
  readonly formerOperators: readonly FormerOperator[];
}

class OpenInventory implements Inventory {
  readonly parent: ApplySetParent;
  readonly id: string;
  readonly objects: readonly PlacedObject[];
  readonly unread: ReadonlyMap<string, string>;
  readonly formerOperators: readonly FormerOperator[];
  readonly #request: InventoryRequest;
  readonly #opened: Opened;
  #secret: Secret | undefined;
  #isRecorded = false;

  constructor(request: InventoryRequest, opened: Opened) {
    this.parent = request.parent;
    this.id = opened.id;
    this.objects = asMembers(request.objects, opened.id);
    this.unread = opened.found.unread;
    this.formerOperators = opened.formerOperators;
    this.#request = request;
    this.#opened = opened;
    this.#secret = opened.secret;
  }

  readonly beforeWrite = async ({ resource }: ClusterObject): Promise<void> => {
    if (this.#isRecorded) return;
    try {
      await this.#record();
    } catch (error) {
      // A missing namespace is ignored if a Namespace is about to be written. Namespaces are written first and need no record, because they
      // are never pruned.
      if (!lacksNamespace(error) || resource.kind !== 'Namespace') this.#refuse(error);
    }
  };

  leftovers(applied: Parameters<Inventory['leftovers']>[0]): Leftovers {
    return leftoversOf(this.#opened.found.members, this.parent, applied);
  }

  async settle(gone: readonly Member[]): Promise<void> {
    const { client, parent } = this.#request;
    try {
      if (!this.#isRecorded) await this.#record();
      const recorded = contentsOfParent(this.#secret, parent);
      const exact = this.#exact(recorded, gone);
      this.#secret = await narrowParent(client, parent, this.#secret, exact, this.#request);
      await this.#lookAgain(recorded, exact, new Set(gone.map(({ live }) => live.metadata.uid)));
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #record(): Promise<void> {
    const { client, parent } = this.#request;
    this.#secret = await widenParent(client, parent, this.#secret, this.#opened.wanted, this.#request);
    this.#isRecorded = true;
  }

  /**
   * Returns the kinds and namespaces of the applied objects, of the members that remain on the cluster, and of members that were not
   * listed. A member may be missing in the list because listing failed, or because another deploy has added it since.
   */
  #exact(recorded: ApplySetContents, gone: readonly Member[]): ApplySetContents {
    const { wanted, contents, found } = this.#opened;
    const left = found.members.filter((each) => !gone.includes(each));
    const added = contentsWithout(recorded, contents);
    const known = unionOf(unionOf(wanted, contentsOf(left, this.parent.namespace)), added);
    // Kinds that were not listed or were just added may have members in any recorded namespace, so all recorded namespaces are kept.
    const isOpen = found.unread.size + added.kinds.size > 0;
    if (!isOpen) return known;
    return unionOf(known, { kinds: new Set(found.unread.keys()), namespaces: recorded.namespaces });
  }

  /**
   * Lists members again in the kinds and namespaces that were just removed from the Secret, because another deploy may have added members
   * in them. The kinds and namespaces of such members are recorded again.
   */
  async #lookAgain(
    before: ApplySetContents,
    exact: ApplySetContents,
    gone: ReadonlySet<string | undefined>,
  ): Promise<void> {
    const { client, parent, signal } = this.#request;
    const { id, directory } = this.#opened;
    const { kinds, namespaces } = contentsWithout(before, exact);
    if (kinds.size + namespaces.size === 0) return;
    const where = { id, parent, directory, signal };
    const found = [
      await findMembers(client, { kinds, namespaces: before.namespaces }, where),
      await findMembers(client, { kinds: exact.kinds, namespaces }, where),
    ];
    const added = found.flatMap(({ members }) => members).filter(({ live }) => !gone.has(live.metadata.uid));
    if (added.length === 0) return;
    const contents = contentsOf(added, parent.namespace);
    this.#secret = await widenParent(client, parent, this.#secret, contents, this.#request);
  }

  #refuse(error: unknown): never {
    throw new OpSdkError(parentRefusal(error, this.parent), { cause: error });
  }
}

/** Matches the name of the operator's Deployment in a scaffolded project, with or without the prefix of the kustomization. */
const scaffoldedName = /(?:^|(?<=-))controller-manager$/;

/**
 * Returns the Secret that stores the inventory of an operator. Its name and namespace are derived from the operator's Deployment. Two
 * operators have two Deployments, so they never share an inventory, even if their kustomizations have the same prefix and namespace. In a
 * scaffolded project, the name is `<namePrefix>applyset`.
 *
 * @param defaultNamespace namespace of objects without a namespace in the manifest
 * @returns undefined if the objects do not show which Deployment is the operator
 */
export function findParent(
  objects: readonly PlacedObject[],
  defaultNamespace: string,
): ApplySetParent | undefined {
  const all = deploymentsOf(objects);
  const scaffolded = all.filter(({ metadata }) => scaffoldedName.test(metadata.name));
  const [operator, ...others] = scaffolded.length > 0 ? scaffolded : all;
  if (operator === undefined || others.length > 0) return undefined;
  const { name, namespace = '' } = operator.metadata;
  return {
    // The two forms of names never collide: `applyset` follows a dash or nothing in the first form, and a dot in the second form.
    name: scaffoldedName.test(name) ? name.replace(scaffoldedName, 'applyset') : `${name}.applyset`,
    namespace: namespace === '' ? defaultNamespace : namespace,
  };
}

/** Reports objects that belong to another ApplySet, for a deploy that may not take them over. */
function othersFindings(others: readonly OthersMembers[]): readonly Finding[] {
  return others.flatMap(({ id, parent, objects }) =>
    objects.map(({ title, where }) => ({
      code: 'cluster/other-applyset' as const,
      message: `${title} is not changed, as it belongs to another ApplySet: ${parent === undefined ? id : `that of the Secret ${parent}`}`,
      where,
      fix: [
        'if another operator needs the object, give yours another name, or leave it out of the manifests',
        'if the operator was moved or renamed, pass --take-over',
      ],
    })),
  );
}

/** Returns true if the error means that the namespace of the Secret does not exist. Such an error does not concern the Secret itself. */
function lacksNamespace(error: unknown): boolean {
  return error instanceof ApiError && isNotFound(error) && error.details?.kind === 'namespaces';
}
