import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

export function AccountSecurity() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <SecondFactor />
      <SingleSignOn />
      <Sessions />
    </div>
  );
}
