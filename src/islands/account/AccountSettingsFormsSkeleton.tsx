import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

/** A placeholder for the forms until their code and the account have loaded. */
export const AccountSettingsFormsSkeleton = () => (
  <LoadingRegion className="flex flex-col gap-10">
    <Skeleton className="h-60 rounded-card!" />
    <Skeleton className="h-60 rounded-card!" />
    <Skeleton className="h-60 rounded-card!" />
  </LoadingRegion>
)
