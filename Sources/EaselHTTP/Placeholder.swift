import EaselCore
