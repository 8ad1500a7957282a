import { draftMode } from 'next/headers';
import './style.css';

export const metadata = { title: 'Articles' };

export default async function Layout({ children }) {
  const { isEnabled } = await draftMode();
  return (
    <html lang="en">
      <body>
        {isEnabled && (
          <form className="preview" action="/api/preview/off" method="post">
            This is a preview. <button>Leave it</button>
          </form>
        )}
        <main>{children}</main>
      </body>
    </html>
  );
}
