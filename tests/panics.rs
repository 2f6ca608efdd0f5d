//! Where panics are located. The panic hook is the process's, so that the test has a process of its own.

/// A panic names the file of the kernel, not one of shim's.
#[test]
fn a_panic_is_located_at_the_kernel() {
    use std::sync::Mutex;

    use shim::prelude::*;

    static WHERE: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[shim::kernel]
    fn asserted(#[shape(4)] v: &[u32], n: usize) -> u32 {
        let mut s = 0;
        for i in 0..n {
            s += v[[i]];
        }
        s
    }

    #[shim::kernel]
    fn tested(#[shape(4)] v: &[u32], n: usize) -> u32 {
        if n > 2 { v[[n]] } else { 0 }
    }

    #[shim::kernel]
    fn written(#[shape(4)] v: &mut [u32], n: usize) {
        v[[2 * n]] += 1;
    }

    #[shim::kernel]
    fn folded(#[shape(n)] v: &[u32], n: usize) -> u32 {
        v.boundary(Clamp)[[3]]
    }

    let report = std::panic::take_hook();
    let here = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            WHERE.lock().unwrap().push(info.location().unwrap().file().to_owned());
        } else {
            report(info);
        }
    }));
    let short = [1; 3];
    let caught = [
        std::panic::catch_unwind(|| asserted(&[1; 4], 9)).is_err(),
        std::panic::catch_unwind(|| tested(&[1; 4], 9)).is_err(),
        std::panic::catch_unwind(|| written(&mut [1; 4], 9)).is_err(),
        std::panic::catch_unwind(|| written(&mut [1; 4], usize::MAX)).is_err(),
        std::panic::catch_unwind(|| folded(&[], 0)).is_err(),
        std::panic::catch_unwind(|| asserted(&short, 2)).is_err(),
    ];
    drop(std::panic::take_hook());
    assert_eq!(caught, [true; 6]);
    let own = file!();
    assert!(WHERE.lock().unwrap().iter().all(|file| file == own), "{:?}", WHERE.lock().unwrap());
    assert_eq!(WHERE.lock().unwrap().len(), 6);
}
