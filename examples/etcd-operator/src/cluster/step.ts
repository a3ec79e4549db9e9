import type { Member } from '../etcd/etcd-api.ts';
import type { RestoreSource } from '../etcd/restore-source.ts';

/** A member to start: its claim, if the cluster has storage, and its Pod. */
export interface MemberToStart {
  readonly name: string;
  /** `--initial-cluster-state`: `new` for the first member. */
  readonly state: 'new' | 'existing';
  /** `--initial-cluster-token` */
  readonly token: string;
  /** Peer URLs of all members by name, this one included: `--initial-cluster`. */
  readonly initialCluster: Readonly<Record<string, string>>;
  readonly version: string;
  readonly restore?: RestoreSource | undefined;
}

/** Reasons to wait. Only `Ready` says that there is nothing left to do. */
export type WaitReason =
  | 'Ready'
  | 'WaitingForSeed'
  | 'WaitingForMember'
  | 'WaitingForQuorum'
  | 'WaitingForDeletion'
  | 'WaitingForRestart'
  | 'QuorumLost'
  | 'WaitingForRecovery'
  | 'RecoveryFailed'
  | 'UpgradeRefused';

/** One change of a cluster, or the reason to wait. */
export type Step =
  | { readonly type: 'Wait'; readonly reason: WaitReason; readonly message?: string | undefined }
  /** Puts Pods and claims that another EtcdCluster of the name has left under this one. */
  | { readonly type: 'Adopt'; readonly reason: 'AdoptingMembers'; readonly members: readonly string[] }
  /** Deletes Pods, with their claims if the data is not needed any more. */
  | {
      readonly type: 'Delete';
      readonly reason: 'RemovingDeadPod' | 'RemovingStranger' | 'ReplacingSeed' | 'DiscardingMembers';
      readonly members: readonly string[];
      readonly withData: boolean;
    }
  | {
      readonly type: 'Start';
      readonly reason: 'StartingSeed' | 'StartingMember' | 'RestoringSeed';
      readonly member: MemberToStart;
    }
  | { readonly type: 'Add'; readonly reason: 'AddingMember'; readonly version: string }
  | { readonly type: 'Promote'; readonly reason: 'PromotingMember'; readonly member: Member }
  /** Removes a member from etcd, and then what exists under its name. */
  | {
      readonly type: 'Remove';
      readonly reason: 'RemovingMember' | 'RemovingLostMember' | 'ReplacingMember';
      readonly member: Member;
      readonly instance?: string | undefined;
    }
  /** Sends clients to members that vote. */
  | { readonly type: 'Publish'; readonly reason: 'PublishingMembers'; readonly members: readonly string[] }
  | { readonly type: 'Upgrade'; readonly reason: 'UpgradingMember'; readonly member: string }
  /** Evicts a Pod whose data stays: it is created again. */
  | { readonly type: 'Restart'; readonly reason: 'RestartingMember'; readonly member: string }
  /** Asks for the restore that the spec allows. */
  | { readonly type: 'Recover'; readonly reason: 'StartingRecovery' };

export const wait = (reason: WaitReason, message?: string): Step => ({ type: 'Wait', reason, message });
