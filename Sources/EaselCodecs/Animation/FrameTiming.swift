/// How long a frame of an animation is played, which is not always what its file says.
enum FrameTiming {
    /// A stored delay as it is played: one under 11 ms, which was never honoured by the browsers that files were made
    /// for, is 100 ms (X155).
    static func played(milliseconds: Int) -> Duration {
        .milliseconds(milliseconds < 11 ? 100 : milliseconds)
    }
}
