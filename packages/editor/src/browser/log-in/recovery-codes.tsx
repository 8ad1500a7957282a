import { useTexts } from '../language/language.js';

interface Props {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** They are shown once, so nobody goes on by accident. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const { secondFactor } = useTexts().account;
  return (
    <>
      <p role="status">{secondFactor.codes}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button type="button" className="primary" onClick={onKept}>
        {secondFactor.kept}
      </button>
    </>
  );
}
