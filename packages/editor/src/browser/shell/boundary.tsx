import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { Empty } from './states.js';

interface Props {
  /** The address of the page: another one is tried again. */
  readonly place: string;
  readonly children: ReactNode;
}

/**
 * Shows that a page has failed, in its place: without it nothing would be left. React writes the error to the console.
 */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true });

  override state = { hasFailed: false };

  override componentDidUpdate({ place }: Props): void {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const texts = useTexts();
  return (
    <div role="alert">
      <Empty icon={TriangleAlert} title={texts.refusals.unexpected}>
        <button type="button" onClick={() => location.reload()}>
          {texts.common.loadAgain}
        </button>
      </Empty>
    </div>
  );
}
