import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly label: string;
  /** Makes a passkey or signs with one, and sends that. */
  readonly onUse: () => Promise<void>;
}

/** A button after which the browser asks for a passkey. */
export function PasskeyButton({ label, onUse }: Props) {
  const { mutate, error, isPending } = useMutation({ mutationFn: onUse });
  return (
    <div className="passkey">
      <button type="button" className="primary" disabled={isPending} onClick={() => mutate()}>
        <KeyRound size={16} aria-hidden="true" />
        {label}
      </button>
      {error !== null && <Failure error={error} />}
    </div>
  );
}
