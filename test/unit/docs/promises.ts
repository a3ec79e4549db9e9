/** A sentence of a document that a user relies on, word for word, and the tests that fail if it is untrue. */
export interface Promised {
  readonly promise: string;
  /** Pairs of a file and a title in it. */
  readonly tests: readonly (readonly [file: string, title: string])[];
}

export const promises: readonly Promised[] = [
  // SECURITY.md
  {
    promise:
      'A release of Kubernetes, from which kube-controller-manager is taken, is downloaded only if op-sdk has its SHA-512 or `OPSDK_KUBERNETES_SHA512` gives it.',
    tests: [
      [
        'test/unit/testing/release-archive.test.ts',
        'is not downloaded without a SHA-512, and the message says where to find it',
      ],
      ['test/unit/testing/release-archive.test.ts', 'with another SHA-512 is not extracted'],
    ],
  },
  {
    promise:
      'The package may be a link only into such a node_modules folder, as pnpm and workspaces make them, or, for the schema libraries and their parts, to a package of the same name that is installed elsewhere, such as in a store.',
    tests: [
      ['test/unit/compiler/schema/library/outside-files.slow.test.ts', 'a package with %s is refused'],
      [
        'test/unit/compiler/schema/library/outside-files.slow.test.ts',
        'a library is found as pnpm and workspaces install it',
      ],
    ],
  },
  {
    promise:
      "Types, which are read and never run, may also come from the repository or workspace that the project is part of, since packages of a monorepo import each other's types, and from packages in node_modules.",
    tests: [
      [
        'test/unit/compiler/schema/library/outside-files.slow.test.ts',
        'types of the repository around a project are read, JSON of it is not',
      ],
      ['test/unit/compiler/schema/library/outside-files.slow.test.ts', '%s does not reach a kind'],
    ],
  },
  {
    promise:
      'The API server of the test control plane listens on 127.0.0.1 only, with its own certificate authority; its etcd listens on a socket in a folder that only you can enter (on Windows: on 127.0.0.1, with client certificates).',
    tests: [
      [
        'test/control-plane/testing/start.slow.test.ts',
        'nothing but the API server listens on TCP, and only the owner may enter the folder',
      ],
    ],
  },
  {
    promise:
      'Credentials of a cluster (tokens, client certificates, the output of credential plugins) are sent over TLS only, as kubectl does it: an `http://` server gets none, and no plugin is run for it.',
    tests: [
      [
        'test/unit/sdk/kube/secrets.test.ts',
        'is sent no credentials of a cluster made by hand, and no header of a request that holds them',
      ],
    ],
  },
  {
    promise:
      'Credentials of a registry are sent over plain HTTP only with `--plain-http`, or to a registry on this machine.',
    tests: [
      ['test/unit/images/registry/parts.test.ts', 'is plain HTTP alone when asked'],
      [
        'test/unit/images/registry/parts.test.ts',
        'never lead from HTTPS to plain HTTP elsewhere, nor away from HTTP',
      ],
      [
        'test/unit/images/registry/authorizer.test.ts',
        'a token server on plain HTTP elsewhere is shown no credentials, even with --plain-http',
      ],
    ],
  },
  {
    promise:
      'Credentials are kept in memory only, but for OIDC tokens that were renewed: as kubectl does, op-sdk writes them back to the kubeconfig that they came from.',
    tests: [
      [
        'test/unit/sdk/kube/oidc.test.ts',
        'an expired id-token is renewed once for all, and both new tokens are kept in the kubeconfig',
      ],
    ],
  },
  {
    promise:
      'Manifests of OLM that are downloaded by version are applied, or used to delete, only if their SHA-256 comes with op-sdk, is given by `--sha256`, or is accepted by a person on a terminal; `--yes` does not accept it.',
    tests: [
      [
        'test/unit/cli/olm-digests.test.ts',
        'refuses without a terminal, and shows the digests of what was downloaded',
      ],
    ],
  },
  // docs/high-availability.md
  {
    promise: 'in the leader only',
    tests: [
      [
        'test/control-plane/sdk/runtime/election/manager.test.ts',
        'one works; the other is ready with synced caches, writes nothing, and takes over at once when the first one stops',
      ],
    ],
  },
  {
    promise:
      'Only a request that is stopped on its way from that look into the socket, some microseconds, still goes out.',
    tests: [
      [
        'test/unit/sdk/runtime/election/fence.test.ts',
        'aborts writes that are under way when it closes, counts them, and stays closed',
      ],
      [
        'test/control-plane/sdk/runtime/election/replicas.slow.test.ts',
        'because it was stopped, writes nothing when it goes on, and ends',
      ],
    ],
  },
  {
    promise:
      'The lease is renewed on the event loop that runs the reconciles, on purpose: a process that cannot work cannot lead either.',
    tests: [
      [
        'test/control-plane/sdk/runtime/election/replicas.slow.test.ts',
        'because its event loop was blocked, writes nothing when it goes on, and ends',
      ],
    ],
  },
  {
    promise:
      'between renewals; standbys ask every 2 to 4.4 s; 1.2 times it must be less than `renewDeadline`',
    tests: [
      [
        'test/unit/sdk/runtime/election/election-settings.test.ts',
        'are refused with everything that is wrong',
      ],
      [
        'test/unit/sdk/runtime/election/elector.test.ts',
        'takes over within 15 s and two tries of 4.4 s of the last renewal that it saw',
      ],
    ],
  },
];
