"""The experiment: arms compared with everything else held fixed, in stages that continue where they were stopped."""
