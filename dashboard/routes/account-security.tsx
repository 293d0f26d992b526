import { SecondFactor } from './account-second-factor.tsx';
import { Sessions } from './account-sessions.tsx';
import { SingleSignOn } from './account-single-sign-on.tsx';

export function AccountSecurity() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <SecondFactor />
      <SingleSignOn />
      <Sessions />
    </div>
  );
}
