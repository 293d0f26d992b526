import { SecondFactor } from './account-second-factor.tsx';
import { Sessions } from './account-sessions.tsx';

export function AccountSecurity() {
  return (
    <div className="grid gap-5">
      <SecondFactor />
      <Sessions />
    </div>
  );
}
